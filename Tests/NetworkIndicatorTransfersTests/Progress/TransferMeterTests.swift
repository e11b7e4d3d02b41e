import Foundation
import Testing

@testable import NetworkIndicatorTransfers

@Suite("TransferMeter")
struct TransferMeterTests {
    private let time = ManualTiming()
    private let meter: TransferMeter

    init() {
        meter = TransferMeter(now: time.timing.now)
    }

    private func progress(_ completed: Int64, of total: Int64? = nil) -> TransferProgress {
        TransferProgress(completedBytes: completed, totalBytes: total)
    }

    private func run(
        _ transfer: TransferMeter.Transfer, from start: Int64, by step: Int64, to end: Int64, of total: Int64?
    ) {
        for completed in stride(from: start, through: end, by: Int64.Stride(step)) {
            transfer.update(progress(completed, of: total))
            time.advance(by: .milliseconds(100))
        }
    }

    @Test("The bytes of a part that is resumed don't count for the rate")
    func resumed() {
        let transfer = meter.beginTransfer()
        transfer.receive(.receiving(isResumable: true, isVerifiable: true))
        transfer.update(progress(1_000_000, of: 2_000_000))
        time.advance(by: .milliseconds(100))
        run(transfer, from: 1_001_000, by: 1_000, to: 1_010_000, of: 2_000_000)
        #expect(meter.bytesPerSecond.map { abs($0 - 10_000) < 1_000 } == true)
        #expect(transfer.status?.bytesPerSecond == meter.bytesPerSecond)
        #expect(meter.completedBytes == 1_010_000)
    }

    @Test("A steady transfer has a correct rate after a quarter of a second")
    func steady() throws {
        let transfer = meter.beginTransfer()
        transfer.update(progress(0, of: 62_600_000))
        for tenth in 1...30 {
            time.advance(by: .milliseconds(100))
            transfer.update(progress(Int64(tenth) * 1_300_000, of: 62_600_000))
            guard tenth > 2 else {
                #expect(meter.bytesPerSecond == nil)
                continue
            }
            let rate = try #require(meter.bytesPerSecond)
            #expect(abs(rate / 13_000_000 - 1) < 0.25, "after \(tenth) tenths of a second")
            if tenth == 30 { #expect(abs(rate / 13_000_000 - 1) < 0.05) }
        }
        #expect(meter.fractionCompleted == 39.0 / 62.6)
        #expect(meter.description == "39.0 of 62.6 MB, 13 MB/s, 2 s left")
        #expect(transfer.status?.description == meter.description)
    }

    @Test("After five seconds without bytes, a transfer is stalled until it is complete or tries again")
    func stalled() throws {
        let (first, second) = (meter.beginTransfer(), meter.beginTransfer())
        run(first, from: 0, by: 100_000, to: 5_000_000, of: 10_000_000)
        let before = try #require(meter.bytesPerSecond)
        time.advance(by: .milliseconds(4_899))
        #expect(meter.status.stalledTime == nil && first.status?.stalledTime == nil)
        time.advance(by: .milliseconds(1))
        #expect(meter.status.stalledTime == .seconds(5) && first.status?.timeDescription == "stalled 5 s")
        #expect(second.status?.stalledTime == nil, "it has not started")
        let during = try #require(meter.bytesPerSecond)
        #expect(during < before / 5 && during > before / 10)
        second.update(progress(1, of: 10))
        #expect(meter.status.stalledTime == nil && first.status?.stalledTime == .seconds(5))
        time.advance(by: .seconds(60))
        #expect(meter.estimatedTimeRemaining == nil && meter.description.hasSuffix("B, stalled 1 m 00 s"))
        first.start()
        #expect(first.status?.stalledTime == nil)
        run(first, from: 5_100_000, by: 100_000, to: 9_900_000, of: 10_000_000)
        #expect(abs(try #require(first.status?.bytesPerSecond) / 1_000_000 - 1) < 0.2)
        first.update(progress(10_000_000, of: 10_000_000))
        time.advance(by: .seconds(9))
        #expect(first.status?.stalledTime == nil && second.status?.stalledTime != nil)
        for transfer in [first, second] { transfer.finish() }
        #expect(meter.status.stalledTime == nil)
    }

    @Test("A transfer that starts over resets its progress and its rate, and not those of others")
    func restart() throws {
        let (first, second) = (meter.beginTransfer(), meter.beginTransfer())
        for tenth in 1...50 {
            first.update(progress(Int64(tenth) * 100_000, of: 100_000_000))
            second.update(progress(Int64(tenth) * 300_000, of: 100_000_000))
            time.advance(by: .milliseconds(100))
        }
        second.update(progress(0, of: 100_000_000))
        let rate = try #require(meter.bytesPerSecond)
        #expect(abs(rate - (try #require(first.status?.bytesPerSecond))) < 1 && second.status?.bytesPerSecond == nil)
        #expect(meter.completedBytes == 5_000_000 && meter.fractionCompleted == 5.0 / 200)
        first.finish()
        run(second, from: 0, by: 10_000, to: 100_000, of: 100_000_000)
        #expect(abs(try #require(second.status?.bytesPerSecond) / 100_000 - 1) < 0.2)
    }

    @Test("Without a total there are bytes, rate and elapsed time")
    func unknownTotal() {
        #expect(meter.description == "0 B" && meter.slowestTransfers(limit: 3).isEmpty)
        let transfer = meter.beginTransfer()
        run(transfer, from: 0, by: 100_000, to: 2_000_000, of: nil)
        #expect(meter.totalBytes == nil && meter.fractionCompleted == nil && meter.estimatedTimeRemaining == nil)
        #expect(meter.status.bytesDescription == "2.0 MB")
        #expect(meter.status.timeDescription == "2 s elapsed")
        transfer.finish()
        #expect(meter.totalBytes == 2_000_000 && meter.fractionCompleted == 1)
    }

    @Test("The missing bytes of a transfer that ended, or was deallocated, aren't expected any more")
    func finishing() {
        var dropped: TransferMeter.Transfer? = meter.beginTransfer()
        let (kept, unstarted) = (meter.beginTransfer(), meter.beginTransfer())
        dropped?.update(progress(20, of: 1000))
        kept.update(progress(40, of: 80))
        dropped = nil
        unstarted.finish()
        #expect(meter.completedBytes == 60 && meter.totalBytes == 100 && meter.fractionCompleted == 0.6)
        kept.finish()
        kept.finish()
        kept.update(progress(80, of: 80))
        kept.start()
        #expect(kept.status == nil && meter.completedBytes == 60 && meter.totalBytes == 60)
    }

    @Test("A busy period keeps its numbers after its end, until the next begins from zero")
    func busyPeriods() {
        let first = meter.beginTransfer()
        run(first, from: 0, by: 100_000, to: 1_000_000, of: 1_000_000)
        first.finish()
        let status = meter.status
        time.advance(by: .seconds(100))
        #expect(meter.status == status)
        #expect(status.description == "1.0 of 1.0 MB, \(status.rateDescription ?? "no rate"), 1 s elapsed")
        let second = meter.beginTransfer()
        #expect(meter.completedBytes == 0)
        first.update(progress(7, of: 7))
        second.update(progress(1, of: 4))
        #expect(meter.fractionCompleted == 0.25)
        #expect(meter.totalBytes == 4)
    }

    @Test("Bytes of an earlier part count as completed, but not for the rate")
    func continued() throws {
        let transfer = meter.beginTransfer(completedBytes: 900_000_000)
        #expect(meter.fractionCompleted == nil)
        transfer.update(progress(900_000_000, of: 1_000_000_000))
        #expect(meter.fractionCompleted == 0.9)
        run(transfer, from: 900_000_000, by: 100_000, to: 905_000_000, of: 1_000_000_000)
        #expect(abs(try #require(meter.bytesPerSecond) / 1_000_000 - 1) < 0.05)
    }

    @Test("A transfer that is begun in advance measures from its start")
    func beginsAhead() throws {
        let transfer = meter.beginTransfer()
        time.advance(by: .seconds(3600))
        #expect(meter.slowestTransfers(limit: 1).isEmpty)
        transfer.start()
        run(transfer, from: 0, by: 100_000, to: 1_000_000, of: 10_000_000)
        #expect(abs(try #require(meter.bytesPerSecond) / 1_000_000 - 1) < 0.2)
        let status = try #require(transfer.status)
        #expect(status.elapsedTime == .milliseconds(1100))
        transfer.start()
        let again = try #require(transfer.status)
        #expect(again.elapsedTime == status.elapsedTime && again.bytesPerSecond == status.bytesPerSecond)
    }

    @Test("A complete transfer has no time left, even if it isn't finished for an hour")
    func completeForLong() {
        let transfer = meter.beginTransfer()
        run(transfer, from: 0, by: 100_000, to: 1_000_000, of: 1_000_000)
        time.advance(by: .seconds(3600))
        #expect(transfer.status?.estimatedTimeRemaining == .zero && meter.estimatedTimeRemaining == .zero)
    }

    @Test("Empty transfers don't give an average size")
    func emptyFirst() {
        let transfers = [meter.beginTransfer(), meter.beginTransfer()]
        transfers[0].update(progress(0, of: 0))
        #expect(meter.status.totalBytes == nil && meter.fractionCompleted == nil)
        transfers[0].finish()
        #expect(meter.fractionCompleted == nil)
        transfers[1].update(progress(50, of: 100))
        #expect(meter.fractionCompleted == 0.5)
    }

    @Test("After its last byte, a transfer has its average rate")
    func average() throws {
        let transfer = meter.beginTransfer()
        transfer.start()
        run(transfer, from: 0, by: 1_000_000, to: 4_000_000, of: 8_000_000)
        time.advance(by: .milliseconds(3_500))
        transfer.update(progress(8_000_000, of: 8_000_000))
        time.advance(by: .seconds(4))
        #expect(meter.status.rateDescription == "2.0 MB/s" && transfer.status?.bytesPerSecond == 2_000_000)
        transfer.finish()
        #expect(meter.description == "8.0 of 8.0 MB, 1.0 MB/s, 8 s elapsed")
    }

    @Test("The slowest transfers are in the order in which they began")
    func slowest() {
        let labels = ["fast", "stalled", "slow", "unknown", "unstarted", "endless"]
        let transfers = labels.map { meter.beginTransfer(label: $0) }
        transfers[1].update(progress(1, of: 1000))
        time.advance(by: .seconds(200))
        for tenth in Int64(1)...10 {
            transfers[0].update(progress(tenth * 100, of: 1500))
            transfers[2].update(progress(tenth * 10, of: 1500))
            transfers[3].update(progress(tenth * 10))
            transfers[5].update(progress(tenth * 10, of: .max))
            time.advance(by: .milliseconds(100))
        }
        #expect(meter.slowestTransfers(limit: 1).map(\.label) == ["stalled"])
        #expect(meter.slowestTransfers(limit: 2).map(\.label) == ["stalled", "endless"])
        #expect(meter.slowestTransfers(limit: 3).map(\.label) == ["stalled", "slow", "endless"])
        #expect(meter.slowestTransfers(limit: 4).map(\.label) == ["fast", "stalled", "slow", "endless"])
        #expect(meter.slowestTransfers(limit: 9).map(\.label) == ["fast", "stalled", "slow", "unknown", "endless"])
        #expect(meter.slowestTransfers(limit: -1).isEmpty)
    }

    @Test("A complete transfer stays for half a second, and one that failed doesn't")
    func completeForAMoment() {
        let labels = ["slow", "complete", "failed", "unknown"]
        let transfers = labels.map { meter.beginTransfer(label: $0) }
        transfers[0].update(progress(0, of: 10_000))
        time.advance(by: .seconds(1))
        transfers[0].update(progress(1_000, of: 10_000))
        transfers[1].update(progress(500, of: 500))
        transfers[2].update(progress(400, of: 500))
        transfers[3].update(progress(1))
        transfers[1].finish()
        transfers[2].finish()
        time.advance(by: .milliseconds(499))
        #expect(meter.slowestTransfers(limit: 1).map(\.label) == ["slow"])
        #expect(meter.slowestTransfers(limit: 2).map(\.label) == ["slow", "complete"])
        #expect(meter.slowestTransfers(limit: 4).map(\.fractionCompleted) == [0.1, 1, nil])
        time.advance(by: .milliseconds(1))
        #expect(meter.slowestTransfers(limit: 4).map(\.label) == ["slow", "unknown"])
    }

    @Test("Ten thousand transfers, updated from many threads, add up")
    func tenThousand() async {
        let count = 10_000
        let transfers = (0..<count).map { _ in meter.beginTransfer() }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for completed in Int64(1)...4 {
                for index in stride(from: thread, to: count, by: 8) {
                    transfers[index].update(progress(completed * 250, of: 1000))
                }
            }
        }
        #expect(meter.completedBytes == Int64(count) * 1000 && meter.fractionCompleted == 1)
        for transfer in transfers { transfer.finish() }
        #expect(meter.totalBytes == Int64(count) * 1000)
    }

    @Test("The time left is never less than that of the slowest transfer, and unknown while one is stalled")
    func slowestPart() throws {
        let (fast, slow) = (meter.beginTransfer(), meter.beginTransfer())
        for step in 1...26 {
            // Until its rate has been measured for longer, the slow transfer doesn't determine the time.
            if step == 25 { #expect(try #require(meter.estimatedTimeRemaining) < .seconds(3)) }
            time.advance(by: .milliseconds(100))
            fast.update(progress(Int64(step) * 500_000, of: 14_000_000))
            slow.update(progress(Int64(step) * 10_000, of: 2_400_000))
        }
        let slowest = try #require(slow.status?.estimatedTimeRemaining)
        #expect(slowest > .seconds(20))
        #expect(meter.estimatedTimeRemaining == slowest)
        fast.finish()
        #expect(meter.estimatedTimeRemaining == slowest)
        let other = meter.beginTransfer()
        time.advance(by: .seconds(6))
        other.update(progress(1_000_000, of: 2_000_000))
        #expect(slow.status?.estimatedTimeRemaining == nil && meter.estimatedTimeRemaining == nil)
    }

    @Test("Extreme numbers don't trap")
    func absurdNumbers() {
        let transfers = (0..<5).map { _ in meter.beginTransfer(completedBytes: -1) }
        for transfer in transfers { transfer.update(progress(.max, of: .max)) }
        for transfer in transfers { transfer.update(progress(.min, of: .min)) }
        for transfer in transfers { transfer.update(progress(.max / 2, of: .max)) }
        time.advance(by: .seconds(1_000_000_000))
        _ = (meter.description, meter.slowestTransfers(limit: .max))
        for transfer in transfers { transfer.update(progress(1 << 62, of: 1 << 62)) }
        #expect(
            meter.completedBytes == .max && meter.totalBytes == .max && meter.description.hasPrefix("9.22 of 9.22 EB"))
        for transfer in transfers { transfer.update(progress(1, of: 1)) }
        #expect(meter.completedBytes == 5 && meter.totalBytes == 5 && meter.fractionCompleted == 1)
    }
}
