import Foundation
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("TransferMeter's totals and rows")
struct TransferTotalsTests {
    private let time = ManualTiming()
    private let meter: TransferMeter

    init() {
        meter = TransferMeter(now: time.timing.now)
    }

    private func begin(_ count: Int) -> [TransferMeter.Transfer] { (0..<count).map { _ in meter.beginTransfer() } }

    @Test("Without a total, there are bytes, rate and elapsed time")
    func unknownTotal() {
        #expect(meter.description == "0 B" && meter.slowestTransfers(limit: 3).isEmpty)
        let transfer = meter.beginTransfer()
        transfer.run(by: 100_000, to: 2_000_000, of: nil, time)
        #expect(meter.status.details == ["2.0 MB", "1.0 MB/s", "for 2 s"])
        #expect(meter.status.fractionCompleted == nil && meter.status.estimatedTimeRemaining == nil)
        transfer.update(2_000_000, of: 2_000_000)
        transfer.finish()
        #expect(meter.status.fractionCompleted == 1)
    }

    @Test("A transfer that ends without all its bytes is never complete", arguments: [Int64?(500_000), nil])
    func failed(total: Int64?) {
        var transfer: TransferMeter.Transfer? = meter.beginTransfer()
        transfer!.run(by: 10_000, to: 200_000, of: total, time)
        transfer = nil
        let time = total == nil ? "for 2 s" : "incomplete"
        #expect(meter.status.details == [total == nil ? "200 kB" : "200 of 500 kB", "100 kB/s", time])
        #expect(meter.status.fractionCompleted == total.map { _ in 0.4 })
    }

    @Test("The missing bytes of a failed transfer stay in the total, but not in the time left")
    func oneFailed() {
        let transfers = begin(4)
        for transfer in transfers.prefix(2) { transfer.update(0, of: 1_000_000) }
        transfers[0].run(by: 10_000, to: 500_000, of: 1_000_000, time)
        transfers[1].finish()
        transfers[1].update(1_000_000, of: 1_000_000)
        transfers[1].start()
        #expect(transfers[1].status == nil)
        transfers[2].finish()
        transfers[3].finish()
        #expect(meter.status.details == ["0.5 of 2.0 MB", "100 kB/s", "5 s left"], "unstarted ones don't count")
        transfers[0].update(1_000_000, of: 1_000_000)
        transfers[0].finish()
        #expect(meter.status.fractionCompleted == 0.5 && meter.status.timeDescription == "incomplete")
    }

    @Test("A transfer that fails without a response still counts as an average one")
    func noResponse() {
        let transfers = begin(2)
        for transfer in transfers { transfer.start() }
        transfers[0].finish()
        transfers[1].update(50, of: 100)
        #expect(meter.status.bytesDescription == "50 of ~200 B")
    }

    @Test("A busy period keeps its numbers after its end, until the next begins from zero")
    func busyPeriods() {
        let first = meter.beginTransfer()
        first.run(by: 100_000, to: 1_000_000, of: 1_000_000, time)
        first.finish()
        let status = meter.status
        time.advance(by: .seconds(100))
        #expect(meter.status == status)
        #expect(status.description == "1.0 of 1.0 MB, 1.0 MB/s, in 1 s")
        let second = meter.beginTransfer()
        #expect(meter.status.completedBytes == 0)
        first.update(7, of: 7)
        second.update(1, of: 4)
        #expect(meter.status.bytesDescription == "1 of 4 B")
    }

    @Test("If more than half of the sizes are known, the other transfers count as average ones")
    func estimate() {
        let transfers = begin(4)
        #expect(meter.status.totalBytes == nil)
        transfers[0].update(50, of: 100)
        transfers[1].update(0, of: 300)
        #expect(meter.status.totalBytes == nil && meter.description == "50 B, for 0 s")
        transfers[2].update(0, of: 200)
        #expect(meter.status.isTotalEstimated && meter.status.bytesDescription == "50 of ~800 B")
        #expect(meter.status.fractionCompleted == 0.0625)
        transfers[3].update(0, of: 400)
        #expect(!meter.status.isTotalEstimated && meter.status.totalBytes == 1000)
    }

    @Test("Reading changes nothing, so a growing total lowers the fraction")
    func growingTotal() {
        let transfer = meter.beginTransfer()
        transfer.update(50, of: 100)
        #expect(meter.status.fractionCompleted == 0.5)
        transfer.update(50, of: 1000)
        #expect(meter.status.fractionCompleted == 0.05)
    }

    @Test("A part that waits to be resumed doesn't complete the total")
    func pendingPart() {
        let transfers = begin(2)
        let part = meter.beginTransfer(completedBytes: 10_000_000)
        for transfer in transfers { transfer.update(4_000_000, of: 4_000_000) }
        #expect(meter.status.bytesDescription == "18.0 of ~28.0 MB")
        part.update(10_000_000, of: 32_000_000)
        #expect(meter.status.bytesDescription == "18.0 of 40.0 MB")
    }

    @Test("Empty transfers don't give an average size")
    func emptyFirst() {
        let transfers = begin(2)
        transfers[0].update(0, of: 0)
        #expect(meter.status.totalBytes == nil)
        transfers[0].finish()
        #expect(meter.status.totalBytes == nil)
        transfers[1].update(50, of: 100)
        #expect(meter.status.fractionCompleted == 0.5)
    }

    @Test("For a second, the total is unknown until the sizes of all started transfers have arrived")
    func early() {
        let transfers = begin(4)
        for transfer in transfers.prefix(3) { transfer.start() }
        time.advance(by: .milliseconds(999))
        for transfer in transfers.prefix(2) { transfer.update(10, of: 100) }
        #expect(meter.status.totalBytes == nil)
        time.advance(by: .milliseconds(1))
        #expect(meter.status.totalBytes == nil, "half of the sizes")
        transfers[3].finish()
        #expect(meter.status.totalBytes == 300)
    }

    @Test("Ten thousand transfers, updated from many threads, add up")
    func tenThousand() async {
        let transfers = begin(10_000)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for completed in Int64(1)...4 {
                for index in stride(from: thread, to: transfers.count, by: 8) {
                    transfers[index].update(completed * 250, of: 1000)
                }
            }
        }
        #expect(meter.status.completedBytes == 10_000_000 && meter.status.fractionCompleted == 1)
        for transfer in transfers { transfer.finish() }
        #expect(meter.status.totalBytes == 10_000_000)
    }

    @Test("Extreme numbers don't trap")
    func absurdNumbers() {
        let transfers = (0..<5).map { _ in meter.beginTransfer(completedBytes: -1) }
        for transfer in transfers { transfer.update(.max, of: .max) }
        for transfer in transfers { transfer.update(.min, of: .min) }
        for transfer in transfers { transfer.update(.max / 2, of: .max) }
        time.advance(by: .seconds(1_000_000_000))
        _ = (meter.description, meter.slowestTransfers(limit: .max))
        for transfer in transfers { transfer.update(1 << 62, of: 1 << 62) }
        #expect(meter.status.completedBytes == .max && meter.description.hasPrefix("9.22 of 9.22 EB"))
        for transfer in transfers { transfer.update(1, of: 1) }
        #expect(meter.status.totalBytes == 5 && meter.status.fractionCompleted == 1)
    }

    // MARK: Rows

    @Test("The slowest transfers are in the order in which they began")
    func slowest() {
        let labels = ["fast", "stalled", "slow", "unknown", "unstarted", "endless"]
        let transfers = labels.map { meter.beginTransfer(label: $0) }
        transfers[1].update(1, of: 1000)
        time.advance(by: .seconds(200))
        for transfer in [0, 2, 3, 5].map({ transfers[$0] }) { transfer.start() }
        for tenth in Int64(1)...10 {
            time.advance(by: .milliseconds(100))
            transfers[0].update(tenth * 100, of: 1500)
            transfers[2].update(tenth * 10, of: 1500)
            transfers[3].update(tenth * 10)
            transfers[5].update(tenth * 10, of: .max)
        }
        let order = ["stalled", "endless", "slow", "fast", "unknown"]
        for limit in -1...9 {
            let expected = labels.filter { order.prefix(max(0, limit)).contains($0) }
            #expect(meter.slowestTransfers(limit: limit).map(\.label) == expected)
        }
    }

    @Test("A complete transfer stays for half a second, and one that failed doesn't")
    func completeForAMoment() {
        let labels = ["slow", "complete", "failed", "unknown"]
        let transfers = labels.map { meter.beginTransfer(label: $0) }
        transfers[0].update(0, of: 10_000)
        time.advance(by: .seconds(1))
        transfers[0].update(1_000, of: 10_000)
        transfers[1].update(500, of: 500)
        transfers[2].update(400, of: 500)
        transfers[3].update(1)
        transfers[1].finish()
        transfers[2].finish()
        time.advance(by: .milliseconds(499))
        #expect(meter.slowestTransfers(limit: 1).map(\.label) == ["slow"])
        #expect(meter.slowestTransfers(limit: 2).map(\.label) == ["slow", "complete"])
        #expect(meter.slowestTransfers(limit: 4).map(\.fractionCompleted) == [0.1, 1, nil])
        time.advance(by: .milliseconds(1))
        #expect(meter.slowestTransfers(limit: 4).map(\.label) == ["slow", "unknown"])
    }

    @Test("A meter whose transfers only wait says why, and one whose transfer moves doesn't")
    func waiting() {
        let (first, second) = (meter.beginTransfer(), meter.beginTransfer())
        #expect(meter.waitingText == nil)
        func retries(_ seconds: Int) -> AttemptEvent {
            .willRetry(attempt: 2, failure: .transport(URLError(.timedOut)), delay: .seconds(seconds))
        }
        let offline = AttemptEvent.waitingForConnectivity(error: URLError(.notConnectedToInternet))
        first.receive(.started(attempt: 1))
        #expect(meter.waitingText == nil)
        first.receive(offline)
        time.advance(by: .seconds(12))
        #expect(meter.waitingText == "offline for 12 s, waiting for the network")
        first.receive(.started(attempt: 2))
        #expect(meter.waitingText == nil)
        first.receive(offline)
        #expect(meter.waitingText == "offline for 12 s, waiting for the network", "since the first failure")
        second.receive(.started(attempt: 1))
        #expect(meter.waitingText == nil)
        second.receive(offline)
        #expect(meter.waitingText == "2 transfers offline for 12 s, waiting for the network")
        second.receive(retries(5))
        time.advance(by: .milliseconds(500))
        #expect(meter.waitingText == "2 transfers waiting, next attempt in 5 s")
        second.receive(.finished)
        #expect(second.status == nil && meter.waitingText == "offline for 12 s, waiting for the network")
        first.receive(retries(0))
        #expect(meter.waitingText == "waiting, next attempt in 1 s" && first.status?.timeDescription == "waiting")
        first.receive(.started(attempt: 3))
        first.receive(offline)
        #expect(meter.waitingText == "offline for 0 s, waiting for the network", "a retry ended the first wait")
        first.receive(.progress(TransferProgress(completedBytes: 3, totalBytes: 9)))
        #expect(meter.waitingText == nil)
    }
}
