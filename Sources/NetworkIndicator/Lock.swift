#if canImport(os)
import os
#else
import Foundation
#endif

/// A value behind a lock: shaped like `Synchronization.Mutex`, which our floor does not have yet.
///
/// Not recursive, on purpose: a call back into the same lock is a design error and shows as one. Nothing but the
/// package's own code runs inside `withLock`: no closure, release or callback of the caller's.
package struct Lock<State> {
    #if canImport(os)
    private let storage: OSAllocatedUnfairLock<State>

    package init(_ state: sending State) { storage = OSAllocatedUnfairLock(uncheckedState: state) }

    @inline(__always)
    package func withLock<R>(_ body: (inout State) -> R) -> R { storage.withLockUnchecked(body) }

    /// `nil` where another thread holds it.
    package func withLockIfAvailable<R>(_ body: (inout State) -> R) -> R? {
        storage.withLockIfAvailableUnchecked(body)
    }
    #else
    private let storage: ManagedBuffer<pthread_mutex_t, State>

    package init(_ state: sending State) {
        storage = Storage.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        storage.withUnsafeMutablePointers { mutex, value in
            pthread_mutex_init(mutex, nil)
            value.initialize(to: state)
        }
    }

    @inline(__always)
    package func withLock<R>(_ body: (inout State) -> R) -> R {
        // `body` is called out here, because it is not inlined into another closure. The memory stays where it is while
        // `storage` lives.
        let (mutex, value) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        let result = body(&value.pointee)
        pthread_mutex_unlock(mutex)
        withExtendedLifetime(storage) {}
        return result
    }

    /// `nil` where another thread holds it.
    package func withLockIfAvailable<R>(_ body: (inout State) -> R) -> R? {
        let (mutex, value) = storage.withUnsafeMutablePointers { ($0, $1) }
        guard pthread_mutex_trylock(mutex) == 0 else { return nil }
        let result = body(&value.pointee)
        pthread_mutex_unlock(mutex)
        withExtendedLifetime(storage) {}
        return result
    }

    /// The mutex and the value in one piece of memory, reached through pointers: access to a stored property of a class
    /// would be checked for exclusivity at run time, at the price of another lock. Here the lock sees to it.
    private final class Storage: ManagedBuffer<pthread_mutex_t, State> {
        deinit {
            withUnsafeMutablePointers { mutex, value in
                value.deinitialize(count: 1)
                pthread_mutex_destroy(mutex)
            }
        }
    }
    #endif
}

/// `@unchecked`: the state is touched only while the lock is held.
extension Lock: @unchecked Sendable {}
