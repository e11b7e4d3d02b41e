#if canImport(FoundationNetworking)
package import Foundation

/// The serial queue on which a session calls its delegate, with a limit to how much may wait there.
///
/// On Linux URLSession puts every piece of data that comes in onto this queue, however many wait already: a disk slower
/// than the network would fill the memory. Here the session's thread waits, and so the sender does, in TCP's good time.
/// That thread is one for all sessions of the process, though, so this is only for a program that does nothing but download:
/// a session that has such a queue downloads with a limit.
///
/// What waits is worked off by few operations: one for each piece is dear, and a cancellation has to outrun the sender (see
/// ``withoutLimit(_:)``).
///
/// `@unchecked Sendable`: `blocks`, `waiting` and `opened` are touched only while `condition` is held.
package final class BoundedDelegateQueue: OperationQueue, @unchecked Sendable {
    private let condition = NSCondition()
    /// What no operation works off yet.
    private var blocks: [@Sendable () -> Void] = []
    /// How many blocks have not ended.
    private var waiting = 0
    private var opened = 0
    /// In pieces of up to 16 kB.
    static let limit = 16
    /// Has a thread whenever it needs one. (The shared threads may all be waiting for the session's, which may be waiting
    /// for this queue.) Held here, as an operation queue does not hold its underlying queue.
    private let serialQueue = DispatchQueue(label: "NetworkIndicator.download")

    package override init() {
        super.init()
        maxConcurrentOperationCount = 1
        underlyingQueue = serialQueue
    }

    /// Adds what URLSession has to tell, when there is room. (An `Operation` finds room at any time.)
    package override func addOperation(_ block: @escaping @Sendable () -> Void) {
        condition.lock()
        while waiting >= Self.limit && opened == 0 { condition.wait() }
        waiting += 1
        blocks.append(block)
        let needsOperation = blocks.count == 1
        condition.unlock()
        if needsOperation { super.addOperation { [self] in runBlocks() } }
    }

    private func runBlocks() {
        condition.lock()
        let batch = blocks
        blocks = []
        condition.unlock()
        for block in batch {
            block()
            condition.lock()
            waiting -= 1
            if waiting <= Self.limit / 2 { condition.broadcast() }
            condition.unlock()
        }
    }

    fileprivate func open() {
        condition.lock()
        opened += 1
        condition.broadcast()
        condition.unlock()
    }

    fileprivate func close() {
        condition.lock()
        opened -= 1
        condition.unlock()
    }
}

extension OperationQueue {
    /// Runs `body`, on this queue, while no limit holds: it may wait for the session's thread, which else might be waiting
    /// for room here.
    ///
    /// That thread turns to a cancellation when it has read all that has come in (MultiHandle.swift: what is left makes a
    /// timeout of now, put on the queue that is just being worked off). A sender as fast as it can hold that up, for some
    /// seconds on an overloaded machine, and what is read meanwhile waits in memory.
    func withoutLimit(_ body: () -> Void) {
        let bounded = self as? BoundedDelegateQueue
        bounded?.open()
        body()
        bounded?.close()
    }
}
#endif
