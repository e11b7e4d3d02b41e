import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicatorTerminal

/// The places of the columns, from the first frame to the last one.
@MainActor @Suite
struct TerminalStabilityTests {
    private let device = RecordingDevice()
    private let scheduler = ManualScheduler()

    private func row(_ name: String, _ fraction: Double, _ details: [String]) -> TerminalIndicator.Row {
        .init(name, fraction: fraction, details: details)
    }

    /// What four files show: before the first byte, with the first numbers, and when the first file ends.
    private var moments: [[TerminalIndicator.Row]] {
        let names = ["archive.tar.gz", "film.mp4", "dataset-2024-11-all.csv", "debian-12.8.0-netinst.iso"]
        let empty = ["", "", ""]
        return [
            [row("0/4 files", 0, empty)] + names.map { row($0, 0, empty) },
            [row("0/4 files", 0.05, ["0.5 of ~10.0 MB", "", ""])]
                + names.map { row($0, 0.05, ["0.1 of 2.5 MB", "", ""]) },
            [row("0/4 files", 0.1, ["1.0 of ~10.0 MB", "1.0 MB/s", "10 s left"])]
                + names.map { row($0, 0.1, ["0.2 of 2.5 MB", "250 kB/s", "100 s left"]) },
            [
                row("0/4 files", 0.1, ["1.0 of 10.0 MB", "1.0 MB/s", "9 s left"]),
                row(names[0], 1, ["1.0 of 1.0 MB", "250 kB/s", "in 4 s"]),
            ]
                + names.dropFirst().map { row($0, 0.2, ["0.5 of 2.5 MB", "250 kB/s", "8 s left"]) },
            [row("1/4 files", 0.1, ["1.0 of 10.0 MB", "1.0 MB/s", "9 s left"])]
                + names.dropFirst().map { row($0, 0.2, ["450 of 900 kB", "9.9 MB/s", "waiting"]) },
        ]
    }

    @Test(arguments: [60, 80, 100, 120]) func theBarStaysFromTheFirstFrameOn(columns: Int) {
        device.change { $0.conditions.columns = columns }
        let moment = Lock(moments[0])
        let indicator = indicator(moment)
        indicator.setVisible(true)
        var bars = Set<ClosedRange<Int>>()
        for next in moments {
            moment.withLock { $0 = next }
            scheduler.advance(by: .milliseconds(500))
            #expect(device.rows.count == next.count)
            for row in device.rows { bars.insert(bar(in: row)) }
        }
        #expect(bars.count == 1 && bars.allSatisfy { $0.count >= 6 }, "\(bars)")
        indicator.setVisible(false)
    }

    @Test func atEightyColumnsTheBytesStayWhenAFileEnds() {
        device.change { $0.conditions.columns = 80 }
        let moment = Lock(moments[0])
        let indicator = indicator(moment)
        indicator.setVisible(true)
        for next in moments {
            moment.withLock { $0 = next }
            scheduler.advance(by: .milliseconds(500))
        }
        #expect(device.rows.count == 4)
        for row in device.rows.dropFirst() { #expect(row.hasSuffix("  20 %     450 of 900 kB     waiting")) }
        #expect(device.rows[0].hasPrefix(" * 1/4 files") && device.rows[0].contains("1.0 MB/s  ━"))
        #expect(device.rows[0].hasSuffix(" 10 %    1.0 of 10.0 MB    9 s left"))
        indicator.setVisible(false)
    }

    /// The width of a text that is shown for half a second isn't reserved if it costs a column.
    @Test func aLongTextCostsNoColumnForGood() {
        device.change { $0.conditions.columns = 80 }
        let usual = moments[2]
        let moment = Lock(usual)
        let indicator = indicator(moment)
        indicator.setVisible(true)
        let before = device.rows
        moment.withLock { $0[1].details[2] = "waiting for the network" }
        scheduler.advance(by: .milliseconds(500))
        #expect(device.rows[1].hasSuffix("waiting for the network"))
        moment.withLock { $0 = usual }
        scheduler.advance(by: .milliseconds(500))
        #expect(device.rows.map { $0.dropFirst(2) } == before.map { $0.dropFirst(2) })
        indicator.setVisible(false)
    }

    private func indicator(_ moment: Lock<[TerminalIndicator.Row]>) -> TerminalIndicator {
        TerminalIndicator(
            style: .init(frames: ["*"]), screen: TerminalScreen(device: device), scheduler: scheduler,
            rows: { moment.withLock { Array($0.dropFirst()) } }
        ) { moment.withLock { $0[0] } }
    }

    private func bar(in row: String) -> ClosedRange<Int> {
        let cells = row.enumerated().filter { "━╾─".contains($0.element) }.map(\.offset)
        return (cells.first ?? 0)...(cells.last ?? 0)
    }
}
