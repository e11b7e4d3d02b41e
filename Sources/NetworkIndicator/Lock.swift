#if canImport(os)
import os
#else
import Foundation
#endif

/// A value behind a lock: shaped like `Synchronization.Mutex`, which our floor does not have yet.
///
/// Not recursive, on purpose: a call back into the same lock is a design error and shows as one. Nothing but the
/// package's own code runs inside `withLock`: no closure, release or callback of the caller's.
package struct Lock<State>: Sendable {
    #if canImport(os)
    private let storage: OSAllocatedUnfairLock<State>

    package init(_ state: sending State) { storage = OSAllocatedUnfairLock(uncheckedState: state) }

    @inline(__always)
    package func withLock<R>(_ body: (inout State) -> R) -> R { storage.withLockUnchecked(body) }
    #else
    private let storage: Storage

    package init(_ state: sending State) { storage = Storage(state) }

    @inline(__always)
    package func withLock<R>(_ body: (inout State) -> R) -> R {
        pthread_mutex_lock(storage.mutex)
        defer { pthread_mutex_unlock(storage.mutex) }
        return body(&storage.state)
    }

    /// `@unchecked Sendable`: `state` is touched only while `mutex` is held.
    private final class Storage: @unchecked Sendable {
        let mutex: UnsafeMutablePointer<pthread_mutex_t>
        var state: State

        init(_ state: sending State) {
            self.state = state
            mutex = .allocate(capacity: 1)
            pthread_mutex_init(mutex, nil)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }
    }
    #endif
}
