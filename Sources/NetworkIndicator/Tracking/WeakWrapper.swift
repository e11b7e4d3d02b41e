/// A caller's object, held weakly.
///
/// Loading it makes a strong reference, and the release of that one can be the object's last: whoever loads it under a
/// lock hands what was loaded out, and lets it go after unlocking.
///
/// Not copyable: copying a weak reference can load it.
struct WeakWrapper: ~Copyable {
    private(set) weak var object: AnyObject?
}
