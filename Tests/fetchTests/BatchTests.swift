import Foundation
import NetworkIndicatorTerminal
import NetworkIndicatorTransfers
import TestSupport
import Testing

@testable import fetch

@MainActor @Suite struct BatchTests {
    private let batch = Batch()
    private let transfers = Log<TransferMeter.Transfer>()

    private func add(_ count: Int, begin places: Range<Int>) {
        let urls = (0..<count).map { URL(string: "http://h/\($0)")! }
        batch.add(urls, to: urls.map { "d/\($0.lastPathComponent)" }, in: "/none")
        for place in places { batch.begin(at: place).map { transfers.add($0.transfer) } }
    }

    private func update(_ place: Int, _ completed: Int64, of total: Int64? = 100) {
        transfers.entries[place].update(TransferProgress(completedBytes: completed, totalBytes: total))
    }

    @Test func oneFileIsCalledByItsName() {
        add(1, begin: 0..<1)
        #expect(batch.row() == .init("0", amount: "", rate: "", time: ""))
        update(0, 60)
        update(0, 29)
        #expect(batch.row().fraction == 0.29 && batch.rows().isEmpty)
        batch.end(at: 0, .fetched)
        #expect(batch.row() == "")
    }

    @Test func theBarCountsFilesUntilSizesAreKnownAndNeverMovesBackwards() {
        add(5, begin: 0..<5)
        batch.end(at: 4, .skipped)
        #expect(batch.row().name == "1/5 files" && batch.row().fraction == 0, "a skipped file is no progress")
        update(0, 50)
        #expect(batch.row().fraction == 0.125 && batch.row().amount == "50 B" && batch.row().time == "")
        for place in 0..<3 { update(place, 80) }
        #expect(batch.row().fraction == 0.6)
        update(2, 0)
        #expect(batch.row().fraction == 0.6 && batch.rows().map(\.fraction) == [0.8, 0.8, 0, nil])
        for place in 0..<2 { batch.end(at: place, .failed) }
        #expect(batch.row().fraction == 0, "their bytes no longer count")
    }

    @Test(arguments: [100, nil] as [Int64?]) func theBlockStaysWhileAllFilesWait(total: Int64?) {
        add(3, begin: 0..<3)
        update(0, 60, of: total)
        for place in 1..<3 { update(place, 0, of: total) }
        #expect(batch.idleRow() == nil)
        for (place, transfer) in transfers.entries.enumerated() {
            let failure = AttemptFailure.status(503, retryAfter: nil)
            transfer.receive(.willRetry(attempt: 2, failure: failure, delay: .seconds(100 + place)))
        }
        let (fraction, amount) = total == nil ? (0, "60 B") : (0.2, "60 of 300 B")
        #expect(
            batch.idleRow() == .init("0/3 files", fraction: fraction, amount: amount, rate: "", time: "waiting, 100 s"))
        #expect(batch.rows().map(\.time) == ["waiting, 100 s", "waiting, 101 s", "waiting, 102 s"])
    }

    @Test func theSummaryCountsEachOutcome() {
        add(6, begin: 0..<4)
        for (place, outcome) in [Batch.Outcome.fetched, .skipped, .failed, .interrupted].enumerated() {
            if outcome != .skipped { update(place, 1_500_000, of: place == 0 ? 1_500_000 : 2_000_000) }
            batch.end(at: place, outcome)
        }
        batch.endQueue()
        #expect(batch.summary() == "1 file, 1.5 MB, in 0.1 s, 1 skipped, 1 failed, 1 interrupted, 2 not begun")
    }

    @Test func aQueuedFileCostsLittleMemory() {
        // Tests that run at the same time also allocate memory.
        let count = 100_000
        let urls = (0..<count).map { URL(string: "http://example.com/directory/file-\($0).tar.gz")! }
        let names = Download.names(for: urls)
        let before = Heap.size
        batch.add(urls, to: names, in: ".")
        #expect((Heap.size - before) / count < 700)
    }

    @Test func namesOfARunAreUnique() throws {
        func names(_ paths: String...) throws -> [String] {
            Download.names(for: try paths.map { try #require(URL(string: "http://h/\($0)")) })
        }
        #expect(try names("a.txt", "b/a.txt", "c/a.txt") == ["a.txt", "a-2.txt", "a-3.txt"])
        #expect(try names("a", "a", "a-2", "a") == ["a", "a-2", "a-2-2", "a-3"])
        #expect(try names("a.txt", "A.TXT") == ["a.txt", "A-2.TXT"])
    }
}
