#if canImport(os)
public import os
#else
public import Foundation
#endif

/// This type replaces `Synchronization.Mutex`, which requires macOS 15 and iOS 18. On Linux, the Thread Sanitizer
/// doesn't see that a contended `Mutex` is acquired, and reports data races.
///
/// The lock isn't recursive, so code that holds the lock must not run callers' closures or deallocate callers' objects.
///
/// `withLock` is inlinable, so that other modules get specialized code. Without specialization, the lock took 4 % of a
/// download's CPU time.
@usableFromInline package struct Lock<State> {
    #if canImport(os)
    @usableFromInline let storage: OSAllocatedUnfairLock<State>

    package init(_ state: sending State) { storage = OSAllocatedUnfairLock(uncheckedState: state) }

    @inlinable @inline(__always)
    package func withLock<R>(_ body: (inout State) -> R) -> R { storage.withLockUnchecked(body) }

    package func withLockIfAvailable<R>(_ body: (inout State) -> R) -> R? {
        storage.withLockIfAvailableUnchecked(body)
    }
    #else
    @usableFromInline let storage: ManagedBuffer<pthread_mutex_t, State>

    package init(_ state: sending State) {
        storage = Storage.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        storage.withUnsafeMutablePointers { mutex, value in
            pthread_mutex_init(mutex, nil)
            value.initialize(to: state)
        }
    }

    @inlinable @inline(__always)
    package func withLock<R>(_ body: (inout State) -> R) -> R {
        // Calling `body` outside the closure of `withUnsafeMutablePointers` lets the compiler inline `body`. The
        // pointers are valid while `storage` is alive.
        let (mutex, value) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        let result = body(&value.pointee)
        pthread_mutex_unlock(mutex)
        withExtendedLifetime(storage) {}
        return result
    }

    package func withLockIfAvailable<R>(_ body: (inout State) -> R) -> R? {
        storage.withUnsafeMutablePointers { mutex, value in
            guard pthread_mutex_trylock(mutex) == 0 else { return nil }
            defer { pthread_mutex_unlock(mutex) }
            return body(&value.pointee)
        }
    }

    /// If the mutex and the value were stored properties of a class, the runtime would check each access for
    /// exclusivity. Such a check costs about as much as acquiring the lock.
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

/// `@unchecked Sendable`: the state is accessed only while the lock is held. The state must be `Sendable`, because
/// `withLock` can return it.
extension Lock: @unchecked Sendable where State: Sendable {}
