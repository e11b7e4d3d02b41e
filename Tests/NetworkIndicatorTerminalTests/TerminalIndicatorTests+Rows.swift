import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicatorTerminal

extension TerminalIndicatorTests {
    // MARK: The places of the columns

    private func row(_ name: String, _ fraction: Double, _ details: [String]) -> TerminalIndicator.Row {
        .init(name, fraction: fraction, details: details)
    }

    /// What four files show: before the first byte, with the first numbers, and when the first file ends.
    private var moments: [[TerminalIndicator.Row]] {
        func files(_ count: Int, _ fraction: Double, _ details: [String]) -> [TerminalIndicator.Row] {
            let names = ["archive.tar.gz", "film.mp4", "dataset-2024-11-all.csv", "debian-12.8.0-netinst.iso"]
            return names.suffix(count).map { row($0, fraction, details) }
        }
        return [
            [row("0/4 files", 0, ["", "", ""])] + files(4, 0, ["", "", ""]),
            [row("0/4 files", 0.05, ["0.5 of ~10.0 MB", "", ""])] + files(4, 0.05, ["0.1 of 2.5 MB", "", ""]),
            [row("0/4 files", 0.1, ["1.0 of ~10.0 MB", "1.0 MB/s", "10 s left"])]
                + files(4, 0.1, ["0.2 of 2.5 MB", "250 kB/s", "100 s left"]),
            [
                row("0/4 files", 0.1, ["1.0 of 10.0 MB", "1.0 MB/s", "9 s left"]),
                row("archive.tar.gz", 1, ["1.0 of 1.0 MB", "250 kB/s", "in 4 s"]),
            ] + files(3, 0.2, ["0.5 of 2.5 MB", "250 kB/s", "8 s left"]),
            [row("1/4 files", 0.1, ["1.0 of 10.0 MB", "1.0 MB/s", "9 s left"])]
                + files(3, 0.2, ["450 of 900 kB", "9.9 MB/s", "waiting"]),
        ]
    }

    private func indicator(_ moment: Lock<[TerminalIndicator.Row]>, columns: Int) -> TerminalIndicator {
        device.change { $0.conditions.columns = columns }
        return indicator {
            moment.withLock { $0[0] }
        } rows: {
            moment.withLock { Array($0.dropFirst()) }
        }
    }

    @Test(arguments: [60, 80, 100, 120]) func theBarStaysFromTheFirstFrameOn(columns: Int) {
        let moment = Lock(moments[0])
        let indicator = indicator(moment, columns: columns)
        indicator.setVisible(true)
        var bars = Set<[Int]>()
        for next in moments {
            moment.withLock { $0 = next }
            #expect(rows(after: 500).count == next.count)
            for row in device.rows {
                bars.insert(row.enumerated().filter { "━╾─".contains($0.element) }.map(\.offset))
            }
        }
        #expect(bars.count == 1 && bars.allSatisfy { $0.count >= 6 }, "\(bars)")
        indicator.setVisible(false)
    }

    /// The width of a text that is shown for half a second isn't reserved if it costs a column.
    @Test func aLongTextCostsNoColumnForGood() {
        let moment = Lock(moments[2])
        let indicator = indicator(moment, columns: 80)
        indicator.setVisible(true)
        let before = device.rows
        moment.withLock { $0[1].details[2] = "waiting for the network" }
        #expect(rows(after: 500)[1].hasSuffix("waiting for the network"))
        moment.withLock { [moments] in $0 = moments[2] }
        #expect(rows(after: 500).map { $0.dropFirst(2) } == before.map { $0.dropFirst(2) })
        indicator.setVisible(false)
    }

    // MARK: The progress bar

    @Test func theTerminalsOwnBarFollowsTheFraction() {
        row.withLock { $0.fraction = 0 }
        let indicator = indicator(style: .init(progress: .always))
        indicator.setVisible(true)
        for next: Double? in [0.5, 0, 0.4, nil, -1, 2, .nan, .infinity, -.infinity] {
            row.withLock { $0.fraction = next }
            scheduler.advance(by: .milliseconds(500))
        }
        indicator.setVisible(false)
        let percentages = [0, 50, 0, 40, nil, 0, 100, nil, 100, 0]
        #expect(device.emulator.progress == percentages.map { $0.map { "1;\($0)" } ?? "3;0" } + ["0;0"])
    }
}
