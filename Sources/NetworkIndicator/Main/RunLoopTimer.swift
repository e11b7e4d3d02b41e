import Foundation

/// A timer of the main run loop that the next user takes over after `recycle()`.
///
/// Foundation on Linux never deallocates a `Timer` that has a block. The process therefore creates as many timers as it
/// uses at the same time, and moves their `fireDate`.
@MainActor
final class RunLoopTimer {
    private static var unused: [RunLoopTimer] = []

    private var work: (@MainActor () -> Void)?
    private var timer: Timer?

    /// Call this method only while the main run loop is running.
    static func scheduled(
        after delay: TimeInterval, tolerance: TimeInterval, _ work: @escaping @MainActor () -> Void
    ) -> RunLoopTimer {
        let timer = unused.popLast() ?? RunLoopTimer()
        timer.work = work
        timer.timer?.tolerance = tolerance
        timer.timer?.fireDate = Date(timeIntervalSinceNow: delay)
        return timer
    }

    private init() {
        let timer = Timer.repeating { MainActor.assumeIsolated { self.work?() } }
        RunLoop.main.add(timer, forMode: .common)
        self.timer = timer
    }

    /// Stops the timer. Call this method once.
    func recycle() {
        timer?.fireDate = .distantFuture
        work = nil
        Self.unused.append(self)
    }
}

extension Timer {
    /// A timer that isn't due. It repeats, because a run loop invalidates a timer that fires only once.
    static func repeating(_ work: @escaping @Sendable () -> Void) -> Timer {
        // On Linux, `Timer(timeInterval:repeats:block:)` first fires immediately (swift-corelibs-foundation #4712).
        Timer(fire: .distantFuture, interval: 365 * 86_400, repeats: true) { _ in work() }
    }
}
