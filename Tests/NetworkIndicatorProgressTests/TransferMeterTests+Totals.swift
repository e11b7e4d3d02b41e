import Foundation
import NetworkIndicatorTransfers
import TestSupport
import Testing

@testable import NetworkIndicatorProgress

extension TransferMeterTests {
    private func begin(_ count: Int) -> [TransferMeter.Transfer] { (0..<count).map { _ in meter.beginTransfer() } }

    @Test("A transfer that ends without all its bytes is never complete", arguments: [Int64?(500_000), nil])
    func failed(total: Int64?) {
        #expect(meter.description == "0 B" && meter.slowestTransfers(limit: 3).isEmpty)
        var transfer: TransferMeter.Transfer? = meter.beginTransfer()
        transfer!.run(by: 10_000, to: 200_000, of: total, time)
        if total == nil { #expect(transfer!.status?.description == "200 kB, 100 kB/s, for 2 s") }
        transfer = nil
        let text = total == nil ? "for 2 s" : "incomplete"
        #expect(meter.description == "\(total == nil ? "200 kB" : "200 of 500 kB"), 95 kB/s, \(text)")
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
        transfers[3].start()
        transfers[3].finish()
        #expect(meter.description == "0.5 of ~3.0 MB, 100 kB/s, 5 s left", "an unstarted one doesn't count")
        transfers[0].update(1_000_000, of: 1_000_000)
        transfers[0].finish()
        let status = meter.status
        #expect(status.fractionCompleted == 1.0 / 3 && status.timeDescription == "incomplete")
        time.advance(by: .seconds(100))
        #expect(meter.status == status, "the numbers of a busy period stay until the next one begins")
        begin(1)[0].update(1, of: 4)
        #expect(meter.status.bytesDescription == "1 of 4 B")
    }

    @Test("If more than half of the sizes are known, the other transfers are estimated")
    func estimate() {
        let transfers = begin(2) + [meter.beginTransfer(completedBytes: 10)] + begin(2)
        for transfer in transfers.prefix(2) { transfer.update(0, of: 0) }
        transfers[3].update(0, of: 0)
        #expect(meter.status.totalBytes == nil, "empty transfers give no average size")
        transfers[0].update(50, of: 100)
        transfers[1].update(0, of: 300)
        #expect(meter.status.isTotalEstimated && meter.status.totalBytes == 400 + 20 + 2 * 133 + 1)
        transfers[3].update(0, of: 200)
        transfers[4].update(0, of: 200)
        #expect(meter.status.isTotalEstimated && meter.status.fractionCompleted == 60.0 / 1020)
        transfers[2].start()
        transfers[2].finish()
        #expect(meter.status.totalBytes == 1020, "a failed transfer stays estimated")
        for transfer in begin(3) { transfer.start() }
        #expect(meter.description == "60 B, for 0 s", "half of the sizes")
    }

    @Test("An estimate of 100 hours or more is unknown", arguments: [(359_000, true), (360_000, false)])
    func longEstimates(seconds: Int64, isKnown: Bool) {
        let transfer = meter.beginTransfer()
        transfer.run(by: 100, to: 1_000, of: 1_000 + seconds * 1_000, time)
        for status in [meter.status, transfer.status] {
            #expect((status?.estimatedTimeRemaining != nil) == isKnown && (status?.timeDescription != nil) == isKnown)
        }
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
        #expect(TransferProgress(completedBytes: .max - 1, totalBytes: .max).fractionCompleted != 1)
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
        #expect(meter.waitingText == "offline")
        second.receive(.started(attempt: 1))
        #expect(meter.waitingText == nil)
        second.receive(retries(5))
        time.advance(by: .milliseconds(500))
        #expect(meter.waitingText == "waiting, 5 s" && meter.status.timeDescription == "waiting, 5 s")
        #expect(first.status?.timeDescription == "offline" && second.status?.timeDescription == "waiting, 5 s")
        first.receive(retries(0))
        #expect(meter.waitingText == "waiting, 1 s")
        first.receive(.progress(TransferProgress(completedBytes: 1, totalBytes: 9)))
        time.advance(by: .seconds(1))
        first.receive(.progress(TransferProgress(completedBytes: 2, totalBytes: 9)))
        #expect(first.status?.rateDescription == "1 B/s")
        first.receive(retries(9))
        #expect(first.status?.description == "2 of 9 B, waiting, 9 s", "a waiting transfer has no rate")
        second.receive(.finished)
        first.receive(.progress(TransferProgress(completedBytes: 3, totalBytes: 9)))
        #expect(second.status == nil && meter.waitingText == nil)
    }
}
