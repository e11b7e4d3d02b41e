import Foundation
import NetworkIndicator
import NetworkIndicatorProgress
import NetworkIndicatorTestKit
import TestSupport
import Testing

@testable import NetworkIndicatorTerminal

extension TerminalIndicatorTests {
    // MARK: The places of the columns

    private func row(_ name: String, _ fraction: Double, _ texts: [String]) -> TerminalIndicator.Row {
        .init(name, fraction: fraction, amount: texts[0], rate: texts[1], time: texts[2])
    }

    private func table(
        _ name: String, _ total: [String], _ count: Int = 0, _ texts: [String] = ["", "", ""]
    ) -> [TerminalIndicator.Row] {
        let names = ["archive.tar.gz", "film.mp4", "dataset-2024-11-all.csv", "debian-12.8.0-netinst.iso"]
        return [row(name, 0.1, total)] + names.suffix(count).map { row($0, 0.2, texts) }
    }

    /// What four files show, from before the first byte until the end.
    private var moments: [[TerminalIndicator.Row]] {
        [
            table("0/4 files", ["", "", ""], 4), table("0/4 files", ["0.1 MB", "", ""], 4, ["0.0 of 2.5 MB", "", ""]),
            table(
                "0/4 files", ["1.0 of ~10.0 MB", "1.0 MB/s", "10 s left"], 4,
                ["0.2 of 2.5 MB", "250 kB/s", "100 s left"]),
            table("1/4 files", ["1.0 of 10.0 MB", "", "stalled 12 s"], 3, ["450 of 900 kB", "", "stalled 12 s"]),
            table("1/4 files, 1 failed", ["1.0 of 7.5 MB", "", "offline"], 2, ["450 of 900 kB", "", "waiting, 8 s"]),
            table("3/4 files, 1 failed", ["7.5 of 7.5 MB", "1.0 MB/s", "in 12 s"]),
        ]
    }

    private static let bar = Set("━╾─")

    /// The offsets of the bar in each row.
    private var bars: Set<[Int]> {
        Set(device.rows.map { $0.enumerated().filter { Self.bar.contains($0.element) }.map(\.offset) })
    }

    private func indicator(_ moment: Lock<[TerminalIndicator.Row]>, columns: Int) -> TerminalIndicator {
        device.change { $0.conditions.columns = columns }
        return indicator {
            moment.withLock { $0[0] }
        } rows: {
            moment.withLock { Array($0.dropFirst()) }
        }
    }

    @Test(arguments: 60...120) func theBarStaysFromTheFirstFrameOn(columns: Int) {
        let moment = Lock(moments[0])
        let indicator = indicator(moment, columns: columns)
        indicator.setVisible(true)
        var all = Set<[Int]>()
        for next in moments {
            moment.withLock { $0 = next }
            #expect(rows(after: 500).count == next.count)
            all.formUnion(bars)
        }
        #expect(all.count == 1 && all.allSatisfy { $0.count >= 6 }, "\(all)")
        indicator.setVisible(false)
    }

    /// The width of a text that is shown for half a second isn't reserved.
    @Test func aLongTextCostsNoColumnForGood() {
        let moment = Lock(moments[2])
        let indicator = indicator(moment, columns: 80)
        indicator.setVisible(true)
        let before = device.rows
        moment.withLock { $0[1].time = "waiting for the network" }
        #expect(rows(after: 500)[1].hasSuffix("waiting for the network"))
        moment.withLock { [moments] in $0 = moments[2] }
        #expect(rows(after: 500).map { $0.dropFirst(2) } == before.map { $0.dropFirst(2) })
        indicator.setVisible(false)
    }

    // MARK: Progress

    /// A `Progress` that isn't from this package. Its units need not be bytes.
    @Test func aProgressIsARow() {
        let progress = Progress(totalUnitCount: -1)
        func expect(_ fraction: Double?, _ amount: String?, _ rate: String?, _ time: String) {
            let row = TerminalIndicator.Row("a", fraction: fraction, amount: amount, rate: rate, time: time)
            #expect(TerminalIndicator.Row("a", progress: progress) == row)
        }
        expect(nil, nil, nil, "")
        (progress.kind, progress.completedUnitCount) = (.file, 24_100_000)
        expect(nil, "24.1 MB", "", "")
        progress.totalUnitCount = 48_200_000
        progress.setUserInfoObject(13_000_000, forKey: .throughputKey)
        progress.setUserInfoObject(2.6, forKey: .estimatedTimeRemainingKey)
        expect(0.5, "24.1 of 48.2 MB", "13 MB/s", "3 s left")
        progress.setUserInfoObject(NSNumber(value: 100), forKey: .estimatedTimeRemainingKey)
        expect(0.5, "24.1 of 48.2 MB", "13 MB/s", "100 s left")
        progress.setUserInfoObject(TimeInterval.infinity, forKey: .estimatedTimeRemainingKey)
        expect(0.5, "24.1 of 48.2 MB", "13 MB/s", "")
        progress.setUserInfoObject("offline", forKey: .pauseTextKey)
        expect(0.5, "24.1 of 48.2 MB", "", "offline")
        progress.kind = nil
        expect(0.5, nil, nil, "offline")
        #expect(TerminalIndicator.Row("a", pauseOf: progress)?.time == "offline")
        progress.completedUnitCount = progress.totalUnitCount
        #expect(TerminalIndicator.Row("a", pauseOf: progress) == nil)
    }

    /// Attempts that fail at once are never shown, so only the idle row says that the transfer waits.
    @Test func aTransferThatWaitsHasAnIdleRow() {
        let meter = TransferMeter(clock: scheduler)
        let transfer = meter.beginTransfer()
        let indicator = indicator {
            transfer.status.map { .init("film.mp4", $0) } ?? .init("film.mp4", progress: transfer.progress)
        } idleRow: {
            transfer.status.flatMap { $0.pauseText == nil ? nil : .init("film.mp4", $0) }
        }
        indicator.setVisible(false)
        transfer.start()
        #expect(rows(after: 200) == [] && scheduler.timerCount == 0)
        transfer.wait(nil)
        #expect(rows(after: 100) == [" ⏸ film.mp4                         offline"])
        transfer.wait(.seconds(8))
        #expect(rows(after: 1_000) == [" ⏸ film.mp4                    waiting, 7 s"])
        #expect(rows(after: 1_000) == [" ⏸ film.mp4                    waiting, 6 s"])
        transfer.start()
        indicator.setVisible(true)
        #expect(device.rows[0].hasPrefix(" * film.mp4"))
        indicator.setVisible(false)
        #expect(device.rows == [])
        transfer.wait(nil)
        scheduler.advance(by: .milliseconds(100))
        transfer.finish()
        #expect(rows(after: 1_000) == [] && scheduler.timerCount == 0)
    }

    /// Otherwise, a transfer that the program releases would never finish.
    @Test func theIndicatorDoesNotRetainItsTransfer() {
        var transfer: TransferMeter.Transfer? = TransferMeter().beginTransfer()
        weak let released = transfer
        let indicator = TerminalIndicator("film.mp4", transfer!)
        transfer = nil
        withExtendedLifetime(indicator) { #expect(released == nil) }
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
