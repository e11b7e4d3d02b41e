import Dispatch
import Foundation

/// The scheduler of real programs: `SuspendingClock`, the main queue and the main run loop.
///
/// The main thread may be driven by a run loop, by `dispatchMain()` or by the concurrency runtime, a program may go
/// from one to the other, and a modal panel nests a run loop inside a main-queue block. So whatever is to happen on
/// the main actor is handed to both the queue and the run loop, and is done by whichever comes first.
package final class MainScheduler: ActivityScheduler {
    /// Work in the order of the calls. Each call sends one or two runners; a runner runs one piece, or finds none left.
    private let pending = Lock<[@MainActor @Sendable () -> Void]>([])

    package init() {}

    package var now: SuspendingClock.Instant { SuspendingClock().now }

    package func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) {
        pending.withLock { $0.append(work) }
        // Typed, as a literal would belong to the main actor, and the runtime may check that as `assumeIsolated` does.
        let runOne: @Sendable () -> Void = { assumeMainQueue { self.runOne() } }
        DispatchQueue.main.async(execute: runOne)
        // A timer, since `RunLoop.perform` does not wake a sleeping run loop on Linux. One given to a run loop that never
        // runs would be kept for ever, hence the question.
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

/// A timer on the main run loop (common modes) with a dispatch timer on the main queue behind it.
///
/// Where a run loop drives the main thread, the run-loop timer leads, and each of its firings puts the dispatch timer
/// off, so that it takes over after one missed tick. Where none does, there is only the dispatch timer.
@MainActor
private final class MainTimer: ActivityTimer {
    private var work: (@MainActor @Sendable () -> Void)?
    private let interval: TimeInterval?
    private var timer: Timer?
    private let source = DispatchSource.makeTimerSource(queue: .main)

    init(delay: TimeInterval, interval: TimeInterval?, _ work: @escaping @MainActor @Sendable () -> Void) {
        self.work = work
        self.interval = interval
        let fire: @Sendable () -> Void = { assumeMainQueue { self.fire() } }
        source.setEventHandler(handler: fire)
        var slack: TimeInterval = 0
        if RunLoop.main.currentMode != nil {
            slack = Self.slack(interval ?? delay)
            // `Timer(timeInterval:repeats:block:)` fires at once the first time on Linux; with a fire date it does not.
            let timer = Timer(
                fire: Date(timeIntervalSinceNow: delay), interval: interval ?? 0, repeats: interval != nil
            ) { _ in
                MainActor.assumeIsolated { self.runLoopFired() }
            }
            RunLoop.main.add(timer, forMode: .common)
            self.timer = timer
        }
        arm(after: delay + slack, slack: slack)
        source.activate()
    }

    /// How far the dispatch timer stays behind a run-loop timer of this period: a tenth with its leeway, and at most a
    /// minute.
    private static func slack(_ period: TimeInterval) -> TimeInterval { min(max(0.005, period / 20), 60) }

    private func arm(after delay: TimeInterval, slack: TimeInterval) {
        source.schedule(
            // In seconds and milliseconds: where `Int` has 32 bits, on watches, it counts only two seconds of nanoseconds.
            deadline: .now() + delay, repeating: interval ?? .infinity, leeway: .milliseconds(Int(slack * 1000)))
    }

    private func runLoopFired() {
        if let interval {
            let slack = Self.slack(interval)
            arm(after: interval + slack, slack: slack)
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

/// Runs work of the main actor on the main queue, which this checks.
///
/// `MainActor.assumeIsolated` traps here on macOS 14. Its runtime expects the main thread, and after `dispatchMain()` the
/// main queue runs on others.
private func assumeMainQueue(_ work: @escaping @MainActor () -> Void) {
    dispatchPrecondition(condition: .onQueue(.main))
    unsafeBitCast(work, to: (() -> Void).self)()
}
