#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import LoopbackServer
import NetworkIndicator
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.serialized, .timeLimit(.minutes(10)))
struct BoundedDelegateQueueTests {
    @Test func onlyReadingIsSuspended() {
        let queue = BoundedDelegateQueue()
        let session = DispatchQueue(label: "session")
        let reading = DispatchQueue(label: "reading", target: session)
        queue.state.withLock { $0.readingQueue = reading }
        let gate = DispatchSemaphore(value: 0)
        let run = Lock<[Int]>([])
        let reads = Lock(0)
        for read in 0..<10 {
            reading.async {
                for number in 0..<100 {
                    queue.addOperation {
                        if read == 0, number == 0 { gate.wait() }
                        run.withLock { $0.append(read * 100 + number) }
                    }
                }
                reads.withLock { $0 += 1 }
            }
        }
        reading.async { run.withLock { $0.append(-1) } }
        while reads.withLock({ $0 }) == 0 { sched_yield() }
        session.sync {}
        DispatchQueue(label: "task").sync { for _ in 0..<100 { queue.addOperation {} } }
        #expect(reads.withLock { $0 } == 1)
        #expect(queue.isFull)
        gate.signal()
        reading.sync {}
        queue.waitForCalls()
        #expect(!queue.isFull)
        #expect(run.withLock { $0.filter { $0 >= 0 } } == Array(0..<1000))
    }

    @Test func theTimeInWhichTheSessionReads() throws {
        let queue = BoundedDelegateQueue()
        let reading = DispatchQueue(label: "reading")
        queue.state.withLock { $0.readingQueue = reading }
        let (began, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        reading.sync {
            queue.addOperation {
                began.signal()
                gate.wait()
            }
        }
        began.wait()
        let blocked = queue.readingTime
        #expect(queue.deliveryTime <= blocked)
        reading.sync { for _ in 0..<100 { queue.addOperation {} } }
        #expect(queue.isFull)
        #expect(queue.deliveryTime <= blocked)
        let suspended = queue.readingTime
        let later = BoundedDelegateQueue.Instant.now
        while later == .now {}
        #expect(suspended > blocked && queue.readingTime == suspended)
        gate.signal()
        queue.waitForCalls()
        let (read, end) = (queue.readingTime, BoundedDelegateQueue.Instant.now)
        #expect(read > suspended && suspended.duration(to: read) <= later.duration(to: end))
        #expect(queue.deliveryTime >= read)
    }

    /// `SiblingSession` finds URLSession's private queue by reflection, so this test uses a real session.
    @Test func aSlowDelegateStopsTheSender() async throws {
        let server = try LoopbackServer()
        server.on("/large", .generated(size: 50_000_000))
        server.on("/file", .text("file"))
        let (bench, other) = (Bench(), Bench())
        let mayContinue = DispatchSemaphore(value: 0)
        let queue = SiblingSession.of(bench.session).queue
        queue.addOperation { mayContinue.wait() }
        let first = Task { try await bench.data(URLRequest("GET", server.url("/large"), timeout: 8), .singleAttempt) }
        while !queue.isFull, queue.waitingCount < 10_000 { await Task.yield() }
        async let second = bench.data(URLRequest("GET", server.url("/file"), timeout: 8), .singleAttempt)
        let policy = TrackedRetryPolicy.singleAttempt
        server.on("/slow", .text("file").delayed(by: .seconds(9)))
        #expect(try await other.data(server.url("/slow"), policy).data == Data("file".utf8))
        #expect(queue.isFull && queue.waitingCount < 1_000)
        mayContinue.signal()
        #expect(try await second.data == Data("file".utf8))
        #expect(try await first.value.data.count == 50_000_000)
    }
}

extension BoundedDelegateQueue {
    fileprivate var isFull: Bool { state.withLock { $0.suspended != nil } }

    fileprivate var waitingCount: Int { state.withLock(\.pending.count) }

    fileprivate func waitForCalls() { while waitingCount > 0 { sched_yield() } }
}
#endif
