package import Dispatch
import NetworkIndicator

extension Clock<Duration> {
    /// Returns a function that returns the time since this call.
    package func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }

    /// Runs `work` on a queue after a delay. Only another clock, such as that of a test, needs a thread of the
    /// cooperative pool, all of whose threads a program can block.
    package func schedule(after delay: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        if self is ContinuousClock || self is SuspendingClock {
            return queue.asyncAfter(deadline: .now() + delay.timeInterval, execute: work)
        }
        let deadline = now.advanced(by: delay)
        Task {
            try? await sleep(until: deadline, tolerance: nil)
            queue.async(execute: work)
        }
    }
}
