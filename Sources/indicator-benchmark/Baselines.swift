import Dispatch
import Foundation

/// What an app can have instead of a registry. Written from their descriptions.

/// An array of weak wrapper objects, filtered at every call.
///
/// `@unchecked Sendable`: `wrappers` is touched only while `lock` is held.
final class WeakFilter: @unchecked Sendable {
    private final class Wrapper {
        weak var object: AnyObject?

        init(_ object: AnyObject) { self.object = object }
    }

    private let lock = NSLock()
    private var wrappers: [Wrapper] = []

    /// Begins many tasks without filtering: that would take hours.
    init(_ live: [AnyObject]) { wrappers = live.map(Wrapper.init) }

    func begin(_ token: AnyObject) {
        lock.lock()
        defer { lock.unlock() }
        wrappers = wrappers.filter { $0.object != nil }
        wrappers.append(Wrapper(token))
    }

    func finish(_ token: AnyObject) {
        lock.lock()
        defer { lock.unlock() }
        wrappers = wrappers.filter { $0.object != nil && $0.object !== token }
    }
}

/// A number that only the main queue touches: a block for every begin, and one for every end.
@MainActor
final class MainQueueCounter {
    private var count: Int
    /// What it is all for: nobody here reads it.
    private var isVisible = false

    nonisolated init(_ count: Int) { self.count = count }

    nonisolated func increment() { DispatchQueue.main.async { self.change(by: 1) } }
    nonisolated func decrement() { DispatchQueue.main.async { self.change(by: -1) } }

    private func change(by difference: Int) {
        count += difference
        isVisible = count > 0
    }
}

/// NSLock around an Int: the floor.
///
/// `@unchecked Sendable`: `count` is touched only while `lock` is held.
final class LockedCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var count: Int

    init(_ count: Int) { self.count = count }

    func increment() {
        lock.lock()
        count += 1
        lock.unlock()
    }

    func decrement() {
        lock.lock()
        count -= 1
        lock.unlock()
    }
}
