#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator
import Testing

@testable import NetworkIndicatorURLSession

@Suite(.timeLimit(.minutes(10)))
struct BoundedDelegateQueueTests {
    /// Adds blocks from another thread, which must stop at the limit while the first block does not end.
    @Test func whoAddsTooMuchWaits() {
        let queue = BoundedDelegateQueue()
        let added = Lock(0)
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        Thread {
            for number in 0..<200 {
                queue.addOperation { if number == 0 { gate.wait() } }
                added.withLock { $0 += 1 }
            }
            done.signal()
        }.start()
        while added.withLock({ $0 }) < BoundedDelegateQueue.limit { sched_yield() }
        // Time enough for a queue without a limit to take all of them.
        for _ in 0..<20_000 { sched_yield() }
        #expect(added.withLock { $0 } == BoundedDelegateQueue.limit)
        gate.signal()
        done.wait()
        queue.waitUntilAllOperationsAreFinished()
        #expect(added.withLock { $0 } == 200)
    }

    /// Other sessions of the process would wait for a session with a limit, so nobody gets one unasked.
    @Test func onlyASessionWithALimitDownloadsWithOne() {
        let limited = URLSession(configuration: .default, delegate: nil, delegateQueue: BoundedDelegateQueue())
        let usual = URLSession(configuration: .default)
        #expect(DownloadSessions.shared.session(for: limited).delegateQueue is BoundedDelegateQueue)
        #expect(!(DownloadSessions.shared.session(for: usual).delegateQueue is BoundedDelegateQueue))
        limited.finishTasksAndInvalidate()
        usual.finishTasksAndInvalidate()
    }

    /// And what then waits is few operations, as one for each piece took seconds to work off.
    @Test func withoutTheLimitNobodyWaits() {
        let queue = BoundedDelegateQueue()
        let isDone = Lock(false)
        let run = Lock<[Int]>([])
        queue.addOperation {
            queue.withoutLimit {
                let group = DispatchGroup()
                group.enter()
                Thread {
                    for number in 0..<200 { queue.addOperation { run.withLock { $0.append(number) } } }
                    group.leave()
                }.start()
                group.wait()
            }
            #expect(queue.operationCount <= 2)
            isDone.withLock { $0 = true }
        }
        queue.waitUntilAllOperationsAreFinished()
        #expect(isDone.withLock { $0 })
        #expect(run.withLock { $0 } == Array(0..<200))
    }
}
#endif
