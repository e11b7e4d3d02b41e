#if canImport(FoundationNetworking)
import Foundation

/// The queue on which a session reads. ``BoundedDelegateQueue`` suspends and resumes this queue. Delete this type
/// together with ``BoundedDelegateQueue``.
///
/// Only C functions of libdispatch provide access to the queue on which a session reads. If the functions aren't found,
/// as in a statically linked program, pending data can exhaust memory.
struct ReadingQueue {
    private typealias Function = @convention(c) (OpaquePointer) -> Void
    private typealias Current = @convention(c) () -> OpaquePointer?
    private typealias Label = @convention(c) (OpaquePointer) -> UnsafePointer<CChar>

    private static let current = find("get_current_queue", as: Current.self)
    private static let label = find("queue_get_label", as: Label.self)
    private static let retain = find("retain", as: Function.self)
    private static let release = find("release", as: Function.self)
    private static let suspend = find("suspend", as: Function.self)
    private static let resume = find("resume", as: Function.self)

    private static func find<F>(_ name: String, as type: F.Type) -> F? {
        dlsym(nil, "dispatch_" + name).map { unsafeBitCast($0, to: type) }
    }

    private let queue: OpaquePointer

    /// The suspension takes effect when the current block ends.
    static func suspendCurrent() -> ReadingQueue? {
        guard let current, let label, let retain, let suspend, release != nil, resume != nil, let queue = current(),
            strcmp(label(queue), "MultiHandle.isolation") == 0
        else { return nil }
        // libdispatch traps if the last reference to a suspended queue is released.
        retain(queue)
        suspend(queue)
        return ReadingQueue(queue: queue)
    }

    func resume() {
        Self.resume?(queue)
        Self.release?(queue)
    }
}
#endif
