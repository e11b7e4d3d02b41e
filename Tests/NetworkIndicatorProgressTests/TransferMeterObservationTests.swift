import Foundation
import NetworkIndicator
import NetworkIndicatorTestKit
import Observation
import TestSupport
import Testing

@testable import NetworkIndicatorProgress

@MainActor
@Suite("Observation of a TransferMeter")
struct TransferMeterObservationTests {
    private let scheduler = ManualScheduler()
    private let meter: TransferMeter
    private let changes = Log<Double?>()

    init() {
        meter = TransferMeter(clock: scheduler)
    }

    /// Like a SwiftUI view, reads the fraction now and after each change.
    private func observe(_ read: @escaping @MainActor @Sendable () -> Double?) {
        withObservationTracking {
            changes.add(read())
        } onChange: { [scheduler] in
            scheduler.performOnMain { observe(read) }
        }
    }

    private func update(_ transfer: TransferMeter.Transfer, to completed: Int64) {
        transfer.update(TransferProgress(completedBytes: completed, totalBytes: 1_000))
    }

    @Test("An observer reads at most ten changes a second, and the last one")
    func changesPerSecond() {
        observe { [meter] in meter.status.fractionCompleted }
        let (transfer, progress) = (meter.beginTransfer(), meter.progress)
        for completed in Int64(0)..<1_000 {
            update(transfer, to: completed)
            scheduler.advance(by: .milliseconds(3))
        }
        #expect((27...31).contains(changes.entries.count), "the first reading and at most ten changes a second")
        let values = changes.entries.compactMap(\.self)
        #expect(zip(values, values.dropFirst()).allSatisfy { $1 - $0 > 0.032 }, "they are 100 ms apart")
        scheduler.advance(by: .milliseconds(100))
        #expect(changes.entries.last == 0.999)
        let count = changes.entries.count
        scheduler.advance(by: .seconds(10))
        #expect(changes.entries.count == count && progress.userInfo[.pauseTextKey] != nil, "no transfer has changed")
        update(transfer, to: 1_000)
        scheduler.advance(by: .milliseconds(100))
        #expect(changes.entries.count == count + 1 && changes.entries.last == 1)
    }

    @Test("Between changes, the meter has no timer, and what changes nothing starts none")
    func timers() {
        var transfer: TransferMeter.Transfer? = meter.beginTransfer()
        update(transfer!, to: 1)
        #expect(!scheduler.hasWork && scheduler.timerCount == 0, "the meter has no observers")
        observe { [meter] in meter.status.fractionCompleted }
        for completed in Int64(1)...10 { update(transfer!, to: completed) }
        scheduler.advance(by: .milliseconds(99))
        #expect(!scheduler.hasWork && scheduler.timerCount == 1)
        scheduler.advance(by: .milliseconds(1))
        transfer?.finish()
        scheduler.advance(by: .milliseconds(100))
        _ = (meter.status, transfer?.status)
        update(transfer!, to: 11)
        transfer = nil
        #expect(!scheduler.hasWork && scheduler.timerCount == 0)
    }

    @Test("A handler may use the meter")
    func reentrance() {
        let transfers = Log<TransferMeter.Transfer>()
        withObservationTracking {
            _ = meter.status
        } onChange: { [meter] in
            transfers.add(meter.beginTransfer(label: meter.description))
        }
        let transfer = meter.beginTransfer()
        update(transfer, to: 500)
        scheduler.advance(by: .milliseconds(100))
        #expect(transfers.entries.first?.status?.label == "0 of 1 kB")
    }
}
