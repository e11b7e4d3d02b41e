import Dispatch
import Foundation

/// If the main run loop isn't running, for example after `dispatchMain()`, only the main queue executes work. While a
/// block of the main queue runs a nested run loop, only the run loop executes work. The scheduler therefore submits
/// work to the main queue and, while the main run loop is running, also to the run loop.
package final class MainScheduler: ActivityScheduler {
    private let pending = Lock<[@MainActor @Sendable () -> Void]>([])

    package init() {}

    package var now: SuspendingClock.Instant { SuspendingClock().now }

    package func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) {
        pending.withLock { $0.append(work) }
        // If this closure were passed directly to `async(execute:)`, the compiler would isolate it to the main actor,
        // and the runtime could trap. See `assumeMainQueue`.
        let runOne: @Sendable () -> Void = { assumeMainQueue { self.takeWork().work?() } }
        DispatchQueue.main.async(execute: runOne)
        performInRunLoop()
    }

    private func performInRunLoop() {
        guard RunLoop.main.currentMode != nil else { return }
        performInMainRunLoop {
            MainActor.assumeIsolated {
                let (work, isLast) = self.takeWork()
                // A run loop doesn't execute the other blocks that it has collected while this one runs a nested loop.
                if !isLast { self.performInRunLoop() }
                work?()
            }
        }
    }

    private func takeWork() -> (work: (@MainActor @Sendable () -> Void)?, isLast: Bool) {
        pending.withLock { $0.isEmpty ? (nil, true) : ($0.removeFirst(), $0.isEmpty) }
    }

    @MainActor
    package func schedule(
        at deadline: SuspendingClock.Instant,
        repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer {
        let delay = max(.zero, now.duration(to: deadline))
        return MainTimer(delay: delay.timeInterval, interval: interval?.timeInterval, work)
    }
}

/// The run-loop timer is due first, and then postpones or cancels the dispatch timer. If the main run loop isn't
/// running, the dispatch timer fires instead.
@MainActor
private final class MainTimer: ActivityTimer {
    private var work: (@MainActor @Sendable () -> Void)?
    /// The requested interval minus the tolerance, because a tolerance allows the timer to fire later.
    private let interval: TimeInterval?
    private let tolerance: TimeInterval
    private var timer: RunLoopTimer?
    private let source = DispatchSource.makeTimerSource(queue: .main)
    private var dispatchDeadline = DispatchTime.distantFuture

    init(delay: TimeInterval, interval: TimeInterval?, _ work: @escaping @MainActor @Sendable () -> Void) {
        self.work = work
        #if canImport(Darwin)
        tolerance = (interval ?? 0) / 10
        #else
        // On Linux, timers ignore their tolerance, so a larger tolerance would only make timers fire earlier.
        tolerance = (interval ?? 0) / 100
        #endif
        self.interval = interval.map { [tolerance] in $0 - tolerance }
        let (delay, interval) = (max(0, delay - tolerance), self.interval)
        let fire: @Sendable () -> Void = { assumeMainQueue { self.fire() } }
        source.setEventHandler(handler: fire)
        var slack: TimeInterval = 0
        if RunLoop.main.currentMode != nil {
            slack = self.slack(interval ?? delay)
            startTimer(after: delay)
        }
        arm(after: delay + slack, slack: slack)
        source.activate()
    }

    /// The dispatch timer is due at least this long after the run-loop timer.
    private func slack(_ period: TimeInterval) -> TimeInterval { min(max(0.005, period / 20) + tolerance, 60) }

    private func arm(after delay: TimeInterval, slack: TimeInterval) {
        dispatchDeadline = .now() + delay
        source.schedule(
            deadline: dispatchDeadline, repeating: interval ?? .infinity,
            // On watches with a 32-bit `Int`, a leeway in nanoseconds would overflow above 2.1 s.
            leeway: .milliseconds(Int(min(max(slack, tolerance), 60) * 1000)))
    }

    private func startTimer(after delay: TimeInterval) {
        timer = .scheduled(after: delay, tolerance: tolerance) { self.runLoopFired() }
    }

    private func runLoopFired() {
        // A timer doesn't fire in a nested run loop that its own block runs, so the next period needs another one.
        let fired = timer
        timer = nil
        if let interval {
            startTimer(after: interval)
            let slack = slack(interval)
            // Arming the dispatch timer can wake another thread, so this method arms it at most about twice a second.
            if dispatchDeadline < .now() + interval + slack { arm(after: max(1, interval) + slack, slack: slack) }
        }
        fire()
        fired?.recycle()
    }

    private func fire() {
        guard let work else { return }
        if interval == nil { cancel() }
        work()
    }

    func cancel() {
        work = nil
        timer?.recycle()
        timer = nil
        source.cancel()
    }
}

#if canImport(Darwin)
/// `RunLoop` isn't documented to be thread-safe, but `CFRunLoop` is.
private func performInMainRunLoop(_ work: @escaping @Sendable () -> Void) {
    CFRunLoopPerformBlock(CFRunLoopGetMain(), CFRunLoopMode.commonModes.rawValue, work)
    CFRunLoopWakeUp(CFRunLoopGetMain())
}
#else
private func performInMainRunLoop(_ work: @escaping @Sendable () -> Void) {
    RunLoop.main.perform(inModes: [.common], block: work)
    // On Linux, `RunLoop.perform` doesn't wake a sleeping run loop, but moving a timer's date does.
    waker.fireDate = Date()
}

// `nonisolated(unsafe)`: Foundation guards the timer's date with the run loop's lock.
nonisolated(unsafe) private let waker: Timer = {
    let timer = Timer.repeating {}
    RunLoop.main.add(timer, forMode: .common)
    return timer
}()
#endif

/// After `dispatchMain()`, the main queue runs on other threads, where `MainActor.assumeIsolated` can trap on macOS 14.
private func assumeMainQueue(_ work: @escaping @MainActor () -> Void) {
    dispatchPrecondition(condition: .onQueue(.main))
    unsafeBitCast(work, to: (() -> Void).self)()
}
