import Foundation
import NetworkIndicator

/// Blocks all threads of the cooperative thread pool.
package struct BlockedThreadPool {
    private let isBlocked = Lock(true)

    /// Blocks the calling thread until Swift tasks no longer run.
    package init() {
        let isBlocked = isBlocked
        for priority in [TaskPriority.high, .medium, .low, .background] {
            for _ in 0..<64 {
                Task.detached(priority: priority) { while isBlocked.withLock(\.self) { usleep(5_000) } }
            }
        }
        while Self.runsTasks {}
    }

    private static var runsTasks: Bool {
        let hasRun = Lock(false)
        Task.detached { hasRun.withLock { $0 = true } }
        usleep(300_000)
        return hasRun.withLock(\.self)
    }

    package func unblock() { isBlocked.withLock { $0 = false } }
}
