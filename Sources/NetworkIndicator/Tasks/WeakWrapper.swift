/// A weak reference to a caller's object.
///
/// Loading it makes a strong reference, and releasing that one can deallocate the object. Code that loads it under a
/// lock therefore returns the object, and releases it after unlocking.
///
/// The registry relies on three properties of weak references, on every platform:
/// - A load returns `nil` once deallocation has begun, so a finish in `deinit` finds the reference empty.
/// - A load is atomic with the last release on another thread. It returns a live object or `nil`.
/// - A reference to a deallocated object stays empty, even if a new object gets the same address.
///
/// They hold for Objective-C objects, too. Their loads cost more, as the runtime finds the reference in a table. A class
/// that overrides `retainWeakReference` or `retain` runs code of its own in a load. An autoreleased object lives until its
/// pool is drained: its task ends that much later. A load here autoreleases nothing.
struct WeakWrapper {
    private weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }

    /// Returns the object, or `nil` once its deallocation has begun.
    ///
    /// Mutating, so that an array provides it in place. A copy of a weak reference loads the object on Apple's systems.
    mutating func load() -> AnyObject? { object }
}
