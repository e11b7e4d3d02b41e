import Foundation
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite("TransferMeter's fraction")
struct TransferTotalsTests {
    private let meter = TransferMeter { .zero }

    private func progress(_ completed: Int64, of total: Int64) -> TransferProgress {
        TransferProgress(completedBytes: completed, totalBytes: total)
    }

    @Test("If more than half of the sizes are known, the other transfers count as average ones")
    func estimate() {
        let transfers = (0..<4).map { _ in meter.beginTransfer() }
        #expect(meter.totalBytes == nil)
        transfers[0].update(progress(50, of: 100))
        transfers[1].update(progress(0, of: 300))
        #expect(meter.totalBytes == nil && meter.fractionCompleted == nil)
        #expect(meter.description == "50 B, 0 s elapsed")
        transfers[2].update(progress(0, of: 200))
        #expect(meter.totalBytes == 800)
        #expect(meter.status.isTotalEstimated)
        #expect(meter.status.bytesDescription == "50 of ~800 B")
        #expect(meter.fractionCompleted == 0.0625)
        transfers[3].update(progress(0, of: 400))
        #expect(meter.totalBytes == 1000)
        #expect(!meter.status.isTotalEstimated)
    }

    @Test("The fraction never decreases when totals become known, and reaches 1 with the last byte")
    func newTotals() {
        var generator = SeededGenerator(seed: 7)
        let sizes: [Int64] = [1_000, 50_000_000, 3_000_000, 0, 700_000_000, 20_000]
        let transfers = sizes.map { _ in meter.beginTransfer() }
        var completed = sizes.map { _ in Int64(0) }
        var last = 0.0
        while let first = sizes.indices.first(where: { completed[$0] < sizes[$0] }) {
            let candidates = sizes.indices[first...].prefix(3)
            let index = candidates.randomElement(using: &generator)!
            completed[index] += min(sizes[index] - completed[index], .random(in: 0...9_000_000, using: &generator))
            transfers[index].update(progress(completed[index], of: sizes[index]))
            if completed[index] == sizes[index] { transfers[index].finish() }
            guard let fraction = meter.fractionCompleted else {
                #expect(last == 0 && completed != sizes)
                continue
            }
            #expect(fraction >= last)
            #expect((fraction == 1) == (completed == sizes))
            last = fraction
        }
        #expect(last == 1)
        #expect(meter.completedBytes == sizes.reduce(0, +))
    }

    @Test("A part that waits to be resumed doesn't complete the total")
    func pendingPart() {
        let (first, second) = (meter.beginTransfer(), meter.beginTransfer())
        let part = meter.beginTransfer(completedBytes: 10_000_000)
        for transfer in [first, second] { transfer.update(progress(4_000_000, of: 4_000_000)) }
        #expect(meter.status.bytesDescription == "18.0 of ~28.0 MB" && meter.fractionCompleted == 18.0 / 28)
        part.update(progress(10_000_000, of: 32_000_000))
        #expect(meter.status.bytesDescription == "18.0 of 40.0 MB" && meter.fractionCompleted == 18.0 / 28)
        part.update(progress(21_000_000, of: 32_000_000))
        #expect(meter.fractionCompleted == 23.0 / 28)
        part.update(progress(32_000_000, of: 32_000_000))
        #expect(meter.fractionCompleted == 1)
    }

    @Test("More bytes after the fraction was 1 begin it again")
    func moreBytes() {
        let first = meter.beginTransfer()
        first.update(progress(30, of: 30))
        #expect(meter.fractionCompleted == 1)
        let second = meter.beginTransfer()
        #expect(meter.fractionCompleted == nil)
        second.update(progress(0, of: 70))
        #expect(meter.fractionCompleted == 0.3)
        first.update(progress(30, of: 130))
        #expect(meter.fractionCompleted == 0.3)
    }

    @Test("The fraction is unknown until the sizes of all started transfers have arrived")
    func transferWithoutAResponse() {
        let (small, big, queued) = (meter.beginTransfer(), meter.beginTransfer(), meter.beginTransfer())
        for transfer in [small, big] { transfer.start() }
        small.update(progress(10, of: 20))
        #expect(meter.fractionCompleted == nil)
        big.update(progress(0, of: 980))
        #expect(meter.totalBytes == 1500)
        #expect(meter.fractionCompleted == 10.0 / 1500)
        queued.start()
        #expect(meter.fractionCompleted == 10.0 / 1500)
    }

    @Test("The fraction is known after a second, even if the size of a started transfer hasn't arrived")
    func transferWithoutAResponseForASecond() {
        let time = Lock(Duration.zero)
        let meter = TransferMeter { time.withLock { $0 } }
        let (small, other, silent) = (meter.beginTransfer(), meter.beginTransfer(), meter.beginTransfer())
        for transfer in [small, other, silent] { transfer.start() }
        time.withLock { $0 = .milliseconds(999) }
        for transfer in [small, other] { transfer.update(progress(10, of: 100)) }
        #expect(meter.fractionCompleted == nil)
        time.withLock { $0 = .seconds(1) }
        small.update(progress(20, of: 100))
        #expect(meter.fractionCompleted == 0.1)
    }

    @Test("A growing total slows the fraction, and a shrinking total advances it")
    func changingTotal() {
        let transfer = meter.beginTransfer()
        transfer.update(progress(50, of: 100))
        #expect(meter.fractionCompleted == 0.5)
        transfer.update(progress(50, of: 1000))
        #expect(meter.fractionCompleted == 0.5)
        transfer.update(progress(525, of: 1000))
        #expect(meter.fractionCompleted == 0.75)
        transfer.update(progress(525, of: 600))
        #expect(meter.fractionCompleted == 0.875)
        transfer.update(progress(600, of: 600))
        #expect(meter.fractionCompleted == 1)
    }
}
