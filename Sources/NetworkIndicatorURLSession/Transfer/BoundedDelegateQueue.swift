#if canImport(FoundationNetworking)
import Foundation
import NetworkIndicator

/// The serial queue on which a session calls its delegate, with a limit to how much may wait there.
///
/// On Linux URLSession puts every piece of data that comes in onto this queue, however many wait already: a disk slower
/// than the network would fill the memory. And it turns to nothing else, a cancellation neither, while data comes in as
/// fast as it is read (what is left makes a timeout of now, put on the queue that is just being worked off:
/// MultiHandle.swift). So the queue on which the session reads is suspended while too much waits here.
///
/// `@unchecked Sendable`: what it adds to its superclass is guarded by `state`.
final class BoundedDelegateQueue: OperationQueue, @unchecked Sendable {
    private struct State {
        /// What no operation works off yet: one for each piece would be dear.
        var blocks: [@Sendable () -> Void] = []
        /// How many blocks have not ended.
        var waiting = 0
        var suspended: ReadingQueue?
    }

    private let state = Lock(State())

    /// How many pieces, of up to 16 kB, may wait before reading is suspended. What is being read then still comes in, which
    /// is up to a hundred.
    static let limit = 16

    override init() {
        super.init()
        maxConcurrentOperationCount = 1
    }

    /// Adds what URLSession has to tell, on the thread that reads. (An `Operation` overtakes what waits.)
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        let needsOperation = state.withLock { state in
            state.waiting += 1
            state.blocks.append(block)
            if state.waiting >= Self.limit, state.suspended == nil { state.suspended = ReadingQueue.suspendCurrent() }
            return state.blocks.count == 1
        }
        if needsOperation { super.addOperation { [self] in runBlocks() } }
    }

    private func runBlocks() {
        let batch = state.withLock { state in
            defer { state.blocks = [] }
            return state.blocks
        }
        for block in batch {
            block()
            let suspended = state.withLock { state in
                state.waiting -= 1
                guard state.waiting <= Self.limit / 2 else { return nil as ReadingQueue? }
                defer { state.suspended = nil }
                return state.suspended
            }
            suspended?.resume()
        }
    }

    /// Whether the session is kept from reading.
    var isFull: Bool { state.withLock { $0.suspended != nil } }

    var waitingCount: Int { state.withLock { $0.waiting } }
}

/// The dispatch queue on which a session reads from the network.
///
/// URLSession keeps it to itself, and Swift's Dispatch does not tell the current queue: libdispatch does. Where it is not
/// to be found, as in a statically linked program, nothing is suspended.
private struct ReadingQueue {
    private typealias Function = @convention(c) (OpaquePointer) -> Void

    private struct Functions: Sendable {
        let current: @convention(c) () -> OpaquePointer?
        let label: @convention(c) (OpaquePointer) -> UnsafePointer<CChar>
        let retain: Function
        let release: Function
        let suspend: Function
        let resume: Function

        init?() {
            func find(_ name: String) -> UnsafeMutableRawPointer? { dlsym(nil, "dispatch_" + name) }
            guard let current = find("get_current_queue"), let label = find("queue_get_label"),
                let retain = find("retain"), let release = find("release"),
                let suspend = find("suspend"), let resume = find("resume")
            else { return nil }
            self.current = unsafeBitCast(current, to: (@convention(c) () -> OpaquePointer?).self)
            self.label = unsafeBitCast(label, to: (@convention(c) (OpaquePointer) -> UnsafePointer<CChar>).self)
            self.retain = unsafeBitCast(retain, to: Function.self)
            self.release = unsafeBitCast(release, to: Function.self)
            self.suspend = unsafeBitCast(suspend, to: Function.self)
            self.resume = unsafeBitCast(resume, to: Function.self)
        }
    }

    private static let functions = Functions()

    private let functions: Functions
    private let queue: OpaquePointer

    /// Suspends the current queue as soon as its current block ends, if a session reads there.
    ///
    /// (On the queues of tasks it is told of their ends: they go on.)
    static func suspendCurrent() -> ReadingQueue? {
        guard let functions, let queue = functions.current(),
            strcmp(functions.label(queue), "MultiHandle.isolation") == 0
        else { return nil }
        // The last reference to a suspended queue must not be released.
        functions.retain(queue)
        functions.suspend(queue)
        return ReadingQueue(functions: functions, queue: queue)
    }

    func resume() {
        functions.resume(queue)
        functions.release(queue)
    }
}
#endif
