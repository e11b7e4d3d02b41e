import Foundation
import NetworkIndicatorTransfers
import TestSupport
import Testing

@testable import NetworkIndicatorProgress

@Suite("TransferMeter")
struct TransferMeterTests {
    let time = TestClock()
    let meter: TransferMeter

    init() {
        meter = TransferMeter(clock: time)
    }

    @Test("A steady transfer has its rate after a quarter of a second, and its average in the end")
    func steady() throws {
        let transfer = meter.beginTransfer()
        time.advance(by: .seconds(3600))
        #expect(meter.slowestTransfers(limit: 1).isEmpty, "it has not started")
        transfer.start()
        transfer.update(0, of: 62_600_000)
        for tenth in 1...30 {
            time.advance(by: .milliseconds(100))
            transfer.update(Int64(tenth) * 1_300_000, of: 62_600_000)
            #expect(meter.status.bytesPerSecond.map { $0.rounded() } == (tenth > 2 ? 13_000_000 : nil), "\(tenth)")
        }
        #expect(meter.status.fractionCompleted == 39.0 / 62.6)
        #expect(meter.description == "39.0 of 62.6 MB, 13 MB/s, 2 s left")
        #expect(transfer.status?.description == meter.description)
        time.advance(by: .milliseconds(3_260))
        transfer.update(62_600_000, of: 62_600_000)
        for status in [meter.status, try #require(transfer.status)] {
            #expect(status.bytesPerSecond?.rounded() == 10_000_000 && status.estimatedTimeRemaining == .zero)
            #expect(status.description == "62.6 of 62.6 MB, 10 MB/s, in 6.3 s")
        }
    }

    @Test("An upload waits for its response, and its rate fits the time that it took in the end")
    func upload() throws {
        let (transfer, other) = (meter.beginTransfer(), meter.beginTransfer())
        transfer.run(by: 600_000, to: 12_000_000, of: 12_000_000, time)
        #expect(transfer.status?.description == "12.0 of 12.0 MB, 5.7 MB/s, in 2.1 s")
        time.advance(by: .milliseconds(899))
        #expect(transfer.status?.timeDescription == "in 3.0 s")
        time.advance(by: .milliseconds(1))
        #expect(transfer.status?.description == "12.0 of 12.0 MB, waiting for the response")
        #expect(meter.status.pauseText == nil, "the other transfer has not started")
        other.finish()
        #expect(meter.description == "12.0 of 12.0 MB, waiting for the response")
        transfer.receive(.willRetry(attempt: 2, failure: .status(503, retryAfter: nil), delay: .seconds(9)))
        #expect(transfer.status?.timeDescription == "waiting, 9 s")
        transfer.receive(.progress(TransferProgress(completedBytes: 12_000_000, totalBytes: 12_000_000)))
        time.advance(by: .seconds(7))
        transfer.finish()
        #expect(meter.description == "12.0 of 12.0 MB, 1.2 MB/s, in 10 s")
    }

    @Test("Bytes of an earlier part count as completed, but not for the rate", arguments: [0, 1_000_000])
    func resumed(part: Int64) throws {
        let transfer = meter.beginTransfer(completedBytes: part)
        transfer.receive(.receiving(isResumable: true, isVerifiable: true))
        transfer.update(1_000_000, of: 2_000_000)
        time.advance(by: .milliseconds(100))
        transfer.run(from: 1_001_000, by: 1_000, to: 1_010_000, of: 2_000_000, time)
        #expect(abs(try #require(meter.status.bytesPerSecond) - 10_000) < 1)
        #expect(transfer.status?.bytesPerSecond == meter.status.bytesPerSecond)
        #expect(meter.status.completedBytes == 1_010_000)
    }

    @Test("The time left stands still during a pause of a second, and is right soon after a longer one")
    func pause() throws {
        let transfer = meter.beginTransfer()
        transfer.run(by: 20_000, to: 600_000, of: 2_400_000, time)
        #expect(meter.status.timeDescription == "9 s left")
        for second in 1...4 {
            time.advance(by: .seconds(1))
            for status in [meter.status, transfer.status] {
                #expect(status?.timeDescription == (second < 2 ? "9 s left" : nil))
                #expect(status?.rateDescription == (second < 2 ? "200 kB/s" : nil))
            }
        }
        time.advance(by: .seconds(1))
        transfer.run(from: 620_000, by: 20_000, to: 820_000, of: 2_400_000, time)
        let left = try #require(meter.status.estimatedTimeRemaining)
        #expect((.milliseconds(7_900) ... .milliseconds(10_900)).contains(left), "\(left)")
    }

    @Test("Pauses that recur aren't exceptions")
    func pauses() throws {
        let transfer = meter.beginTransfer()
        transfer.run(by: 3_000, to: 90_000, of: 1_000_000, every: .seconds(3), time)
        #expect(abs(try #require(meter.status.bytesPerSecond) / 1_000 - 1) < 0.1)
    }

    @Test("After five seconds without bytes, a transfer is stalled until it is complete or tries again")
    func stalled() throws {
        let (first, second) = (meter.beginTransfer(), meter.beginTransfer())
        first.run(by: 100_000, to: 5_000_000, of: 10_000_000, time)
        time.advance(by: .milliseconds(4_899))
        #expect(meter.status.stalledTime == nil && first.status?.stalledTime == nil)
        time.advance(by: .milliseconds(1))
        #expect(meter.status.stalledTime == .seconds(5) && first.status?.timeDescription == "stalled 5 s")
        #expect(second.status?.stalledTime == nil, "it has not started")
        second.update(1, of: 10)
        #expect(meter.status.stalledTime == nil && first.status?.stalledTime == .seconds(5))
        #expect(meter.status.estimatedTimeRemaining == nil)
        time.advance(by: .seconds(60))
        #expect(meter.description.hasSuffix("B, stalled 60 s"))
        first.run(from: 5_100_000, by: 100_000, to: 9_900_000, of: 10_000_000, time)
        #expect(abs(try #require(first.status?.bytesPerSecond) / 1_000_000 - 1) < 0.05)
        first.update(10_000_000, of: 10_000_000)
        time.advance(by: .seconds(9))
        #expect(first.status?.stalledTime == nil && second.status?.stalledTime != nil)
        for transfer in [first, second] { transfer.finish() }
        #expect(meter.status.stalledTime == nil)
    }

    @Test("A transfer that starts over resets its progress and its rate")
    func restart() throws {
        let transfer = meter.beginTransfer()
        transfer.run(from: 100_000, by: 100_000, to: 5_000_000, of: 100_000_000, time)
        transfer.update(0, of: 100_000_000)
        #expect(transfer.status?.bytesPerSecond == nil && meter.status.bytesPerSecond != nil)
        #expect(meter.status.fractionCompleted == 0)
        transfer.run(by: 10_000, to: 100_000, of: 100_000_000, time)
        #expect(abs(try #require(transfer.status?.bytesPerSecond) / 100_000 - 1) < 0.01)
    }

    @Test("The time left is never less than that of the slowest transfer, and unknown while one is stalled")
    func slowestPart() throws {
        let (fast, slow) = (meter.beginTransfer(), meter.beginTransfer())
        for step in 1...26 {
            // Until its rate has been measured for longer, the slow transfer doesn't determine the time.
            if step == 25 { #expect(try #require(meter.status.estimatedTimeRemaining) < .seconds(3)) }
            time.advance(by: .milliseconds(100))
            fast.update(Int64(step) * 500_000, of: 14_000_000)
            slow.update(Int64(step) * 10_000, of: 2_400_000)
        }
        let slowest = try #require(slow.status?.estimatedTimeRemaining)
        #expect(slowest > .seconds(20) && meter.status.estimatedTimeRemaining == slowest)
        let other = meter.beginTransfer()
        time.advance(by: .seconds(6))
        other.update(1_000_000, of: 2_000_000)
        #expect(meter.status.stalledTime == nil && meter.status.estimatedTimeRemaining == nil)
    }
}

extension TransferMeter.Transfer {
    func update(_ completed: Int64, of total: Int64? = nil) {
        update(TransferProgress(completedBytes: completed, totalBytes: total))
    }

    /// Updates the transfer from `start` to `end`, and advances the time after each update.
    func run(
        from start: Int64 = 0, by step: Int64, to end: Int64, of total: Int64?,
        every pause: Duration = .milliseconds(100), _ time: TestClock
    ) {
        for completed in stride(from: start, through: end, by: Int64.Stride(step)) {
            update(completed, of: total)
            time.advance(by: pause)
        }
    }
}
