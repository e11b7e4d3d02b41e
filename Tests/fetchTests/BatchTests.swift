import Foundation
import NetworkIndicatorTerminal
import NetworkIndicatorTransfers
import Testing

@testable import fetch

@MainActor @Suite struct BatchTests {
    private func batch(_ count: Int) -> Batch {
        let batch = Batch()
        batch.downloads = (0..<count).map {
            Download(URL(string: "http://h/\($0)")!, path: "d/\($0)", in: "/none", meter: batch.meter)
        }
        return batch
    }

    private func update(_ download: Download, _ completed: Int64) {
        download.transfer.update(TransferProgress(completedBytes: completed, totalBytes: 100))
    }

    @Test func oneFileIsCalledByItsName() {
        let batch = batch(1)
        #expect(batch.row().name == "0" && batch.row().fraction == nil)
        update(batch.downloads[0], 60)
        update(batch.downloads[0], 29)
        #expect(batch.row().fraction == 0.29 && batch.rows().isEmpty)
    }

    @Test func theBarCountsFilesUntilSizesAreKnownAndNeverMovesBackwards() {
        let batch = batch(5)
        batch.downloads[4].state = .skipped
        batch.downloads[4].transfer.finish()
        #expect(batch.row().name == "1/5 files" && batch.row().fraction == 0, "a skipped file is no progress")
        batch.downloads[0].state = .fetched
        #expect(batch.row().name == "2/5 files" && batch.row().fraction == 0.25)
        for download in batch.downloads.prefix(3) { update(download, 10) }
        #expect(batch.row().fraction == 0.25)
        for download in batch.downloads.prefix(3) { update(download, 80) }
        #expect(batch.row().fraction == 0.6)
        update(batch.downloads[2], 0)
        #expect(batch.row().fraction == 0.6 && batch.rows().map(\.fraction) == [0.8, 0.8, 0])
    }

    @Test func filesUnderWayCountInPartWhileTheTotalIsUnknown() {
        let batch = batch(8)
        batch.downloads[0].state = .fetched
        for (download, bytes) in zip(batch.downloads[1...2], [25, 50] as [Int64]) {
            download.state = .active
            update(download, bytes)
        }
        #expect(batch.row().fraction == 1.75 / 8 && batch.row().details == ["75 B", "", ""])
    }

    @Test func theSummaryCountsEachOutcome() {
        let batch = batch(7)
        let states: [Download.State] = [.fetched, .fetched, .skipped, .failed, .interrupted, .queued, .queued]
        for (download, state) in zip(batch.downloads, states) { (download.state, download.size) = (state, 1_500_000) }
        let outcomes = "1 skipped, 1 failed, 1 interrupted, 2 not begun"
        #expect(batch.summary(.milliseconds(500)) == "2 files, 3.0 MB, 0.5 s, \(outcomes)")
        #expect(batch.summary(.seconds(65)).contains(", 1 m 5 s, "))
    }

    @Test func namesOfARunAreUnique() throws {
        func names(_ paths: String...) throws -> [String] {
            Download.names(for: try paths.map { try #require(URL(string: "http://h/\($0)")) })
        }
        #expect(try names("a.txt", "b/a.txt", "c/a.txt") == ["a.txt", "a-2.txt", "a-3.txt"])
        #expect(try names("a", "a", "a-2", "a") == ["a", "a-2", "a-2-2", "a-3"])
        #expect(try names("a.txt", "A.TXT") == ["a.txt", "A-2.TXT"])
    }

    @Test func textHasNoControlCharacters() {
        #expect("a\u{1B}[2Jb\n é 😀 txt\u{202E}exe".printable == "a\\u{1B}[2Jb\\n é 😀 txt\\u{202E}exe")
    }
}
