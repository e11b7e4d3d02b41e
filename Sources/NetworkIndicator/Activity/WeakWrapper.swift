/// A weak reference to a caller's object.
///
/// A load creates a strong reference, and releasing that can deallocate the object. Code that loads under a lock
/// therefore returns the object, and releases it after unlocking.
///
/// The registry relies on three properties of weak references, on every platform:
/// - A load returns `nil` once deallocation has begun, so a finish in `deinit` finds the reference empty.
/// - A load is atomic with the last release on another thread. It returns a live object or `nil`.
/// - A reference to a deallocated object stays empty, even if a new object gets the same address.
///
/// Objective-C objects have these properties too, but their loads cost more, because the runtime searches a table. A
/// load runs the code of classes that override `retainWeakReference` or `retain`. An autoreleased object, and its task,
/// live until the pool is drained. A load here doesn't autorelease the object.
// `@unchecked Sendable`: the tracker's lock guards the reference. The object itself is only compared, passed to its
// `@Sendable` condition, and released.
struct WeakWrapper: @unchecked Sendable {
    private weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }

    /// Returns the object, or `nil` once its deallocation has begun.
    ///
    /// The method is mutating so that an array element is accessed in place. On Apple's systems, copying a weak
    /// reference loads the object.
    mutating func load() -> AnyObject? { object }
}
