#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import NetworkIndicator

/// The serial queue on which a session calls its delegate, with a limit on pending calls.
///
/// On Linux, URLSession adds a call for each piece of received data, without a limit (swift-corelibs-foundation #3204).
/// If the disk is slower than the network, pending data fills the memory. URLSession also doesn't process cancellations
/// while data arrives as fast as it reads. So while too many calls are pending, this queue suspends the queue on which
/// the session reads.
///
/// `@unchecked Sendable`: a lock guards the state that it adds to its superclass.
final class BoundedDelegateQueue: OperationQueue, @unchecked Sendable {
    private struct State {
        /// The calls that the next batch makes.
        var blocks: [@Sendable () -> Void] = []
        /// Whether an operation that makes calls is pending or running. One operation makes many calls, because an
        /// operation for each would be expensive.
        var isScheduled = false
        /// The number of blocks that have not returned.
        var waiting = 0
        var suspended: ReadingQueue?
        /// When the first of the blocks was added.
        var added = DispatchTime.now()
        /// When the first block of the running batch was added.
        var runningAdded: DispatchTime?
        /// When reading was resumed.
        var resumed = DispatchTime(uptimeNanoseconds: 0)
    }

    private let state = Lock(State())

    /// The number of pending pieces, of up to 16 kB each, at which reading is suspended. Up to a hundred more arrive until
    /// the current read ends.
    static let limit = 16

    override init() {
        super.init()
        maxConcurrentOperationCount = 1
    }

    /// Adds a delegate call. If too many are pending, and this runs on the queue that reads, it suspends that queue. An
    /// added `Operation`, such as a cancellation, can run before pending calls.
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        let needsOperation = state.withLock { state in
            state.waiting += 1
            if state.blocks.isEmpty { state.added = .now() }
            state.blocks.append(block)
            if state.waiting >= Self.limit, state.suspended == nil { state.suspended = ReadingQueue.suspendCurrent() }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if needsOperation { super.addOperation { [self] in runBlocks() } }
    }

    /// Makes calls until there are none left, or until another operation waits, such as a cancellation.
    private func runBlocks() {
        repeat {
            let batch = state.withLock { state in
                if state.blocks.isEmpty { state.isScheduled = false }
                state.runningAdded = state.blocks.isEmpty ? nil : state.added
                defer { state.blocks = [] }
                return state.blocks
            }
            guard !batch.isEmpty else { return }
            run(batch)
        } while operationCount == 1
        super.addOperation { [self] in runBlocks() }
    }

    private func run(_ batch: [@Sendable () -> Void]) {
        for block in batch {
            block()
            let suspended = state.withLock { state in
                state.waiting -= 1
                guard state.waiting <= Self.limit / 2 else { return nil as ReadingQueue? }
                if state.suspended != nil { state.resumed = .now() }
                defer { state.suspended = nil }
                return state.suspended
            }
            suspended?.resume()
        }
    }

    /// The latest period in which the session read without a pause and the delegate received everything that was read.
    ///
    /// Only in this period, the silence of a server is known. Its end is the present, unless a delegate call is pending.
    var observedPeriod: (start: DispatchTime, end: DispatchTime) {
        state.withLock { state in
            (state.resumed, state.runningAdded ?? (state.blocks.isEmpty ? .now() : state.added))
        }
    }

    /// Whether reading is suspended.
    var isFull: Bool { state.withLock { $0.suspended != nil } }

    var waitingCount: Int { state.withLock { $0.waiting } }
}

/// The dispatch queue on which a session reads from the network.
///
/// Neither URLSession nor Swift's Dispatch gives access to it, but libdispatch does. If its functions aren't found, as
/// in a statically linked program, the queue isn't suspended.
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

    /// Suspends the current queue as soon as its current block ends, if a session reads on it.
    ///
    /// The queues of tasks, on which URLSession reports their ends, are not suspended.
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
