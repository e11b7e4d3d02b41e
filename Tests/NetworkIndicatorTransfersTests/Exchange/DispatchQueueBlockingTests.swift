import Dispatch
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.timeLimit(.minutes(10)))
struct DispatchQueueBlockingTests {
    /// On the cooperative pool, as many blocking calls as there are threads would stop every Swift task.
    @Test func workThatBlocksLeavesTheThreadPoolFree() async throws {
        let release = DispatchSemaphore(value: 0)
        let count = 100
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask { await DispatchQueue(label: "\(number)").run { release.wait() } }
            }
            group.addTask {
                await Task.detached { for _ in 0..<count { release.signal() } }.value
            }
        }
    }

    @Test func anErrorIsThrown() async {
        let error = await failure {
            try await DispatchQueue(label: "x").run { () throws(DownloadError) in throw .tooLarge(limit: 7) }
        }
        guard case .tooLarge(limit: 7) = error as? DownloadError else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
