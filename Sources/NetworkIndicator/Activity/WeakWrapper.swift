/// The registry relies on three properties that weak references have on every platform:
/// - A reference is `nil` once deallocation has begun, even in the object's own `deinit`.
/// - Reading a reference is atomic with respect to the last release on another thread.
/// - A reference to a deallocated object stays `nil`, even if a new object gets the same address.
///
/// An Objective-C override of `retainWeakReference` runs while the lock is held, so it must not call the manager.
// `@unchecked Sendable`: the tracker's lock guards the reference. The object itself is only retained, released,
// compared, and passed to the task's `@Sendable` condition.
struct WeakWrapper: @unchecked Sendable {
    private weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }

    /// This method is mutating, so that it accesses an array element in place. Copying a weak reference to an
    /// Objective-C object retains and releases the object, and the release could deallocate it while the lock is held.
    mutating func load() -> AnyObject? { object }
}
