import Foundation
import NetworkIndicatorTerminal
import NetworkIndicatorTransfers
import Testing

@testable import fetch

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor @Suite struct BatchTests {
    private func batch(_ count: Int) -> Batch {
        let batch = Batch()
        batch.downloads = (0..<count).map {
            Download(URL(string: "http://h/\($0)")!, path: "\($0)", in: "/none", meter: batch.meter)
        }
        return batch
    }

    @Test func oneFileIsCalledByItsName() {
        #expect(batch(1).label == "0")
        let batch = batch(3)
        batch.downloads[0].state = .skipped
        batch.downloads[1].state = .fetched
        #expect(batch.label == "2/3 files")
    }

    @Test func theBarCountsFilesUntilMostSizesAreKnown() {
        #expect(batch(1).updateFraction() == nil)
        let batch = batch(4)
        #expect(batch.updateFraction() == 0)
        batch.downloads[0].state = .fetched
        #expect(batch.updateFraction() == 0.25)
        for download in batch.downloads.prefix(3) {
            download.transfer.update(TransferProgress(completedBytes: 50, totalBytes: 100))
        }
        #expect(batch.updateFraction() == batch.meter.status.fractionCompleted && batch.updateFraction() != 0.25)
    }

    @Test func theBarNeverMovesBackwards() {
        let batch = batch(4)
        func update(_ index: Int, _ completed: Int64, of total: Int64?) {
            let progress = TransferProgress(completedBytes: completed, totalBytes: total)
            batch.downloads[index].transfer.update(progress)
        }
        batch.downloads[0].state = .fetched
        #expect(batch.updateFraction() == 0.25)
        for index in 1...3 { update(index, 10, of: 100) }
        #expect(batch.updateFraction() == 0.25)
        for index in 1...3 { update(index, 60, of: 100) }
        #expect(batch.updateFraction() == 0.45)
        update(3, 0, of: 100)
        #expect(batch.updateFraction() == 0.45)
    }

    @Test func skippedFilesAreNoProgress() {
        let batch = batch(4)
        for download in batch.downloads.prefix(3) {
            download.state = .skipped
            download.transfer.finish()
        }
        #expect(batch.updateFraction() == 0 && batch.label == "3/4 files")
        batch.downloads[3].transfer.update(TransferProgress(completedBytes: 1, totalBytes: 100))
        #expect(batch.updateFraction() == 0.01)
    }

    @Test func theIdleTextIsForTimesWithoutATransfer() {
        let batch = batch(3)
        for download in batch.downloads { download.transfer.start() }
        #expect(batch.idleText == nil)
        for download in batch.downloads {
            download.transfer.receive(.waitingForConnectivity(error: URLError(.notConnectedToInternet)))
        }
        #expect(batch.idleText?.hasPrefix("⏸ 3 transfers ") == true)
    }

    @Test func theSummaryCountsEachOutcome() {
        let batch = batch(7)
        let states: [Download.State] = [.fetched, .fetched, .skipped, .failed, .interrupted, .queued, .queued]
        for (download, state) in zip(batch.downloads, states) {
            download.state = state
            download.size = 1_500_000
        }
        #expect(
            batch.summary(.milliseconds(500))
                == "2 files, 3 MB, 0.5 s, 1 skipped, 1 failed, 1 interrupted, 2 not begun")
    }

    @Test func aRowHasTheNameAndTheProgress() {
        let batch = batch(1)
        batch.downloads[0].transfer.update(TransferProgress(completedBytes: 29, totalBytes: 100))
        #expect(batch.rows(1).map(\.name) == ["0"] && batch.rows(1).map(\.fraction) == [0.29])
        #expect(batch.rows(0).isEmpty)
    }
}
