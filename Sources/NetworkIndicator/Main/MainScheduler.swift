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
        let runOne: @Sendable () -> Void = { assumeMainQueue { self.runOne() } }
        DispatchQueue.main.async(execute: runOne)
        // On Linux, `RunLoop.perform` doesn't wake a sleeping run loop, but adding a timer does. A run loop that never
        // runs would never release the timer, so the timer is added only while the run loop is running.
        if RunLoop.main.currentMode != nil {
            let timer = Timer(fire: Date(), interval: 0, repeats: false) { _ in
                MainActor.assumeIsolated { self.runOne() }
            }
            RunLoop.main.add(timer, forMode: .common)
        }
    }

    @MainActor
    private func runOne() {
        let work = pending.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        work?()
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
    private var timer: Timer?
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
            // On Linux, `Timer(timeInterval:repeats:block:)` first fires immediately (swift-corelibs-foundation #4712).
            let timer = Timer(
                fire: Date(timeIntervalSinceNow: delay), interval: interval ?? 0, repeats: interval != nil
            ) { _ in
                MainActor.assumeIsolated { self.runLoopFired() }
            }
            timer.tolerance = tolerance
            RunLoop.main.add(timer, forMode: .common)
            self.timer = timer
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

    private func runLoopFired() {
        if let interval {
            let slack = slack(interval)
            // Arming the dispatch timer can wake another thread, so this method arms it at most about twice a second.
            if dispatchDeadline < .now() + interval + slack { arm(after: max(1, interval) + slack, slack: slack) }
        }
        fire()
    }

    private func fire() {
        guard let work else { return }
        if interval == nil { cancel() }
        work()
    }

    func cancel() {
        work = nil
        timer?.invalidate()
        timer = nil
        source.cancel()
    }
}

/// After `dispatchMain()`, the main queue runs on other threads, where `MainActor.assumeIsolated` can trap on macOS 14.
private func assumeMainQueue(_ work: @escaping @MainActor () -> Void) {
    dispatchPrecondition(condition: .onQueue(.main))
    unsafeBitCast(work, to: (() -> Void).self)()
}
