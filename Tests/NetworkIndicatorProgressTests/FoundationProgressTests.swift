import Foundation
import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicatorProgress

@MainActor
@Suite("Foundation's Progress of a TransferMeter")
struct FoundationProgressTests {
    private let time = ManualScheduler()
    private let meter: TransferMeter

    init() {
        meter = TransferMeter(clock: time)
    }

    private func report() { time.advance(by: .milliseconds(100)) }

    private func run(_ transfer: TransferMeter.Transfer, from start: Int64, to end: Int64, of total: Int64) {
        for completed in stride(from: start, through: end, by: 100) {
            transfer.update(completed, of: total)
            report()
        }
    }

    private func text(_ progress: Progress) -> String {
        let values = [ProgressUserInfoKey.throughputKey, .estimatedTimeRemainingKey].map { key in
            (progress.userInfo[key] as? Double).map { "\(($0 * 10).rounded() / 10)" }
                ?? progress.userInfo[key].map { "\($0)" } ?? "-"
        }
        return "\(progress.completedUnitCount)/\(progress.totalUnitCount) \(values.joined(separator: " "))"
    }

    @Test("It shows bytes, rate and time left, up to 100 ms late")
    func numbers() {
        let file = URL(filePath: "/tmp/film.mp4")
        let transfer = meter.beginTransfer(file: file, completedBytes: 500)
        let (one, all) = (transfer.progress, meter.progress)
        #expect(transfer.status?.label == "film.mp4" && one.userInfo[.fileURLKey] as? URL == file)
        #expect(one === transfer.progress && all === meter.progress && one.kind == .file && all.kind == .file)
        #expect(text(one) == "500/-1 - -" && one.isIndeterminate && all.completedUnitCount == 500)
        run(transfer, from: 500, to: 1_500, of: 2_000)
        report()
        #expect(text(one) == "1500/2000 1000 0.5" && one.fractionCompleted == 0.75 && !one.isIndeterminate)
        #expect(text(all) == "1500/2000 1000 0.5" && !all.isFinished)
    }

    @Test("Without updates, the rate and the time left disappear when the transfer is stalled")
    func stalled() {
        let transfer = meter.beginTransfer()
        run(transfer, from: 0, to: 500, of: 1_000)
        let progress = transfer.progress
        report()
        for second in 1...5 {
            #expect(text(progress) == "500/1000 1000 0.5", "\(second)")
            time.advance(by: .seconds(1))
        }
        #expect(text(progress) == "500/1000 - -")
        #expect(progress.userInfo[.pauseTextKey] as? String == "stalled 5 s")
    }

    @Test("It says why the transfer pauses, until the transfer ends")
    func pauses() {
        let transfer = meter.beginTransfer()
        let (progress, all) = (transfer.progress, meter.progress)
        func text() -> String? { progress.userInfo[.pauseTextKey] as? String }
        transfer.update(1, of: 2)
        transfer.wait(.seconds(9))
        report()
        #expect(text() == "waiting, 9 s" && all.userInfo[.pauseTextKey] as? String == "waiting, 9 s")
        time.advance(by: .milliseconds(950))
        #expect(text() == "waiting, 9 s", "it is updated once a second")
        time.advance(by: .milliseconds(1_050))
        #expect(text() == "waiting, 7 s")
        transfer.wait(nil)
        report()
        #expect(text() == "offline")
        transfer.finish()
        report()
        #expect(text() == nil)
        time.advance(by: .seconds(1))
        #expect(time.timerCount == 0)
    }

    @Test("It keeps its last values, and finishes only with all bytes", arguments: [Int64?(0), 3, 9, nil])
    func ends(total: Int64?) {
        var transfer: TransferMeter.Transfer? = meter.beginTransfer()
        let (progress, all) = (transfer!.progress, meter.progress)
        transfer?.update(min(3, total ?? 3), of: total)
        transfer = nil
        #expect(meter.state.withLock(\.progress.count) == 1)
        let next = meter.beginTransfer()
        next.update(1, of: 4)
        report()
        #expect(progress.isFinished == [0, 3].contains(total))
        let fraction = total == 9 ? 1.0 / 3 : progress.isFinished ? 1 : 0
        #expect(abs(progress.fractionCompleted - fraction) < 1e-6)
        #expect(progress.completedUnitCount == (total == 0 ? 1 : 3) && all.fractionCompleted == 0.25)
        next.finish()
        #expect(next.progress === next.progress && next.progress.isIndeterminate)
    }

    @Test("It shows the last values even if the meter is released")
    func release() {
        var meter: TransferMeter? = TransferMeter(clock: time)
        weak let released = meter
        let all = meter!.progress
        var transfer = meter?.beginTransfer()
        transfer?.update(3, of: 3)
        (transfer, meter) = (nil, nil)
        report()
        #expect(all.isFinished && released == nil)
    }

    /// On Linux, `Progress` itself traps after some changes of its total.
    @Test("Any change of the numbers is shown")
    func changes() {
        let (transfer, other) = (meter.beginTransfer(), meter.beginTransfer())
        let (progress, all) = (transfer.progress, meter.progress)
        let values: [(Int64, Int64?)] = [
            (4, 4), (0, 0), (0, 343), (288, 288), (798, nil), (0, 703), (35, nil), (.max, .max), (5, nil), (0, 4),
            (1, 3),
        ]
        for (completed, total) in values {
            transfer.update(completed, of: total)
            other.update(completed, of: total)
            report()
            let status = TransferProgress(completedBytes: completed, totalBytes: total)
            #expect(abs(progress.fractionCompleted - (status.fractionCompleted ?? 0)) < 1e-6)
            #expect(progress.isFinished == status.isComplete && progress.isIndeterminate == (total == nil))
            #expect(all.isIndeterminate == (total == nil))
        }
    }

    @Test("A change of the numbers doesn't finish the progress in between")
    func steps() throws {
        let (transfer, progress) = (meter.beginTransfer(), WitnessProgress(parent: nil))
        for (completed, total) in [(4, 8), (2, 4), (6, 8), (2, nil), (1, 2), (0, 1)] as [(Int64, Int64?)] {
            transfer.update(completed, of: total)
            progress.show(try #require(transfer.status))
            #expect(progress.completedUnitCount == completed && !progress.wasFinished, "\(completed)")
        }
    }
}

private final class WitnessProgress: Progress, @unchecked Sendable {
    private(set) var wasFinished = false
    override var completedUnitCount: Int64 { didSet { check() } }
    override var totalUnitCount: Int64 { didSet { check() } }

    private func check() { wasFinished = wasFinished || totalUnitCount >= 0 && completedUnitCount >= totalUnitCount }
}
