/// A weak reference to a caller's object.
///
/// Loading it makes a strong reference, and releasing that one can deallocate the object. Code that loads it under a
/// lock therefore returns the object, and releases it after unlocking.
struct WeakWrapper {
    private weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }

    /// Returns the object, or `nil` once its deallocation has begun.
    ///
    /// Mutating, so that an array provides it in place. A copy of a weak reference loads the object on Apple's systems.
    mutating func load() -> AnyObject? { object }
}
