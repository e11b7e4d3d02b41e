import Foundation
import NetworkIndicator

/// A repeating timer with its own thread, which ends within the interval after `cancel()`.
///
/// On Linux, a Dispatch timer costs more: each firing wakes Dispatch's manager thread, which wakes a worker thread.
final class FrameThread: ActivityTimer {
    private let isCancelled = Lock(false)

    init(every interval: Duration, _ work: @escaping @Sendable () -> Void) {
        let microseconds = UInt32(interval / .microseconds(1))
        Thread.detachNewThread { [isCancelled] in
            Self.blockSignals()
            while true {
                usleep(microseconds)
                if isCancelled.withLock({ $0 }) { return }
                work()
            }
        }
    }

    /// The program's other threads must receive its signals, so a thread of this module blocks all signals except those
    /// that its own faults raise.
    nonisolated static func blockSignals() {
        var set = sigset_t()
        sigfillset(&set)
        for fault in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP] { sigdelset(&set, fault) }
        pthread_sigmask(SIG_SETMASK, &set, nil)
    }

    func cancel() { isCancelled.withLock { $0 = true } }
}
