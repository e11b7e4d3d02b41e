import Foundation
import NetworkIndicator

/// Counts how often the lock of a manager is acquired. On Apple's platforms, where the lock isn't a mutex, nothing is
/// counted.
struct LockCounter {
    // `nonisolated(unsafe)`: only `thread` uses the other variables, and no lock is counted before it is assigned.
    nonisolated(unsafe) fileprivate static var thread: pthread_t?
    nonisolated(unsafe) fileprivate static var latest: UnsafeRawPointer?
    nonisolated(unsafe) fileprivate static var counted: UnsafeRawPointer?
    nonisolated(unsafe) fileprivate static var count = 0

    /// Reading the configuration acquires only the lock of the manager.
    init(of manager: NetworkIndicatorManager) {
        Self.thread = pthread_self()
        _ = manager.configuration
        (Self.counted, Self.count) = (Self.latest, 0)
    }

    var value: Int { Self.count }
}

#if os(Linux)
/// Replaces the function of the C library in this program. A lock with a deadline that never comes does the same.
@_cdecl("pthread_mutex_lock")
public func countedLock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
    if LockCounter.thread == pthread_self() {
        LockCounter.latest = UnsafeRawPointer(mutex)
        if LockCounter.latest == LockCounter.counted { LockCounter.count += 1 }
    }
    var never = timespec(tv_sec: .max, tv_nsec: 0)
    return pthread_mutex_timedlock(mutex, &never)
}
#endif
