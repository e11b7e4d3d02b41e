import Foundation

/// The serial queue on which URLSession calls its delegate, with a limit to how much may wait there.
///
/// On Linux URLSession puts every piece of data that comes in onto this queue, however many wait already: a disk slower
/// than the network would fill the memory. Here the session's thread waits, and so the sender does, in TCP's good time.
///
/// `@unchecked Sendable`: `waiting` and `opened` are touched only while `condition` is held.
final class DelegateQueue: OperationQueue, @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting = 0
    private var opened = 0
    /// In pieces of up to 16 kB.
    static let limit = 16
    /// Has a thread whenever it needs one. (The shared threads may all be waiting for the session's, which may be waiting
    /// for this queue.) Held here, as an operation queue does not hold its underlying queue.
    private let serialQueue = DispatchQueue(label: "fetch.delegate")

    override init() {
        super.init()
        maxConcurrentOperationCount = 1
        underlyingQueue = serialQueue
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        condition.lock()
        while waiting >= Self.limit && opened == 0 { condition.wait() }
        waiting += 1
        condition.unlock()
        super.addOperation { [self] in
            block()
            condition.lock()
            waiting -= 1
            condition.signal()
            condition.unlock()
        }
    }

    /// Runs `body`, on this queue, while the limit does not hold: it may wait for the session's thread, which else might
    /// be waiting for room here.
    func withoutLimit(_ body: () -> Void) {
        condition.lock()
        opened += 1
        condition.broadcast()
        condition.unlock()
        body()
        condition.lock()
        opened -= 1
        condition.unlock()
    }
}
