import Dispatch
import Foundation

/// If the main run loop isn't running, for example after `dispatchMain()`, only the main queue executes work. While a
/// block of the main queue runs a nested run loop, only the run loop executes work. The scheduler therefore submits
/// work to the main queue and, while the main run loop is running, also to the run loop.
package final class MainScheduler: ActivityScheduler {
    private typealias Work = @MainActor @Sendable () -> Void

    private let state = Lock<(pending: [(number: UInt64, work: Work)], submitted: UInt64)>(([], 0))

    package init() {}

    package var now: SuspendingClock.Instant { SuspendingClock().now }

    package func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) {
        let number = state.withLock { state in
            state.submitted += 1
            let number = state.submitted
            state.pending.append((number, work))
            // If this closure were passed directly to `async(execute:)`, the compiler would isolate it to the main
            // actor, and the runtime could trap. See `assumeMainQueue`.
            let block: @Sendable () -> Void = { assumeMainQueue { self.runFirst(upTo: number) } }
            // The lock is held, so that the queue has the order of the numbers. Otherwise, the block of a later number
            // could run this work, and no block would remain for the later one.
            DispatchQueue.main.async(execute: block)
            return number
        }
        performInRunLoop(upTo: number)
    }

    private func performInRunLoop(upTo number: UInt64) {
        guard isMainRunLoopRunning else { return }
        performInMainRunLoop { MainActor.assumeIsolated { self.runFirst(upTo: number) } }
    }

    /// A block runs no closure that was submitted after the block. Otherwise, each block whose closure has already run
    /// would run a later closure. While closures submit others, such blocks would multiply and starve timers.
    @MainActor
    private func runFirst(upTo number: UInt64) {
        let (work, latest): (Work?, UInt64?) = state.withLock { state in
            guard let first = state.pending.first, first.number <= number else { return (nil, nil) }
            state.pending.removeFirst()
            return (first.work, state.pending.last?.number)
        }
        // A run loop doesn't execute the other blocks that it has collected while this one runs a nested loop.
        if let latest { performInRunLoop(upTo: latest) }
        work?()
    }

    @MainActor
    package func schedule(
        at deadline: SuspendingClock.Instant,
        repeatingEvery interval: Duration?,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any ActivityTimer {
        MainTimer(delay: now.duration(to: deadline).timeInterval, interval: interval?.timeInterval, work)
    }
}

/// The run-loop timer is due first, and then postpones or cancels the dispatch timer. If the main run loop isn't
/// running, the dispatch timer fires instead.
@MainActor
private final class MainTimer: ActivityTimer {
    private var work: (@MainActor @Sendable () -> Void)?
    private let interval: TimeInterval?
    private var timer: RunLoopTimer?
    private let source = DispatchSource.makeTimerSource(queue: .main)

    init(delay: TimeInterval, interval: TimeInterval?, _ work: @escaping @MainActor @Sendable () -> Void) {
        (self.work, self.interval) = (work, interval)
        let fire: @Sendable () -> Void = { assumeMainQueue { self.fire() } }
        source.setEventHandler(handler: fire)
        arm(after: delay)
        source.activate()
    }

    private func arm(after delay: TimeInterval) {
        // A tolerance allows a timer to fire later, so the timer is due earlier.
        let tolerance = (interval ?? 0) / 10
        let delay = max(0, delay - tolerance)
        var slack: TimeInterval = 0
        if isMainRunLoopRunning {
            timer = .scheduled(after: delay, tolerance: tolerance) { self.fire() }
            slack = tolerance + max(0.005, delay / 20)
        }
        source.schedule(
            deadline: .now() + delay + min(slack, 60),
            // On watches with a 32-bit `Int`, a leeway in nanoseconds would overflow above 2.1 s.
            leeway: .milliseconds(Int(min(max(slack, tolerance), 60) * 1000)))
    }

    private func fire() {
        guard let work else { return }
        // A run-loop timer doesn't fire in a nested run loop that its own block runs, so the next period needs another
        // one.
        let fired = timer
        timer = nil
        if let interval { arm(after: interval) } else { cancel() }
        work()
        fired?.recycle()
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
private var isMainRunLoopRunning: Bool { CFRunLoopCopyCurrentMode(CFRunLoopGetMain()) != nil }

private func performInMainRunLoop(_ work: @escaping @Sendable () -> Void) {
    CFRunLoopPerformBlock(CFRunLoopGetMain(), CFRunLoopMode.commonModes.rawValue, work)
    CFRunLoopWakeUp(CFRunLoopGetMain())
}
#else
private var isMainRunLoopRunning: Bool { RunLoop.main.currentMode != nil }

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
