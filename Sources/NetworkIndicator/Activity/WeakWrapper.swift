/// A weak reference to a caller's object.
///
/// A load creates a strong reference, and releasing that reference can deallocate the object. Code that loads an object
/// while it holds the lock therefore returns the reference, so that its caller can release it after unlocking.
///
/// The registry relies on three properties of weak references, on every platform:
/// - A load returns `nil` once deallocation has begun. If an object finishes its task in its own `deinit`, the
///   reference is therefore empty.
/// - A load is atomic with respect to the last release on another thread. The load returns a live object or `nil`.
/// - A reference to a deallocated object stays empty, even if a new object gets the same address.
///
/// Weak references to Objective-C objects have these properties too, but a load costs more, because the runtime
/// searches a table. If a class overrides `retainWeakReference` or `retain`, a load calls these methods. An
/// autoreleased object and its task live until the autorelease pool is drained. ``load()`` itself doesn't autorelease
/// the object.
// `@unchecked Sendable`: the tracker's lock guards the reference. The object itself is only compared, passed to the
// task's `@Sendable` condition, and released.
struct WeakWrapper: @unchecked Sendable {
    private weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }

    /// Returns the object, or `nil` once its deallocation has begun.
    ///
    /// On Apple's systems, copying a weak reference loads the object. The method is mutating, so that it accesses an
    /// array element in place instead of a copy.
    mutating func load() -> AnyObject? { object }
}
