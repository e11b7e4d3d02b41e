import Foundation
import NetworkIndicator

@MainActor
final class Locks {
    private final class Token {}

    private final class Indicator: ActivityIndicator {
        private(set) var isVisible = false

        nonisolated init() {}

        func setVisible(_ isVisible: Bool) { self.isVisible = isVisible }
    }

    // `@unchecked Sendable`: used on the main thread only.
    private final class Scheduler: ActivityScheduler, @unchecked Sendable {
        final class Timer: ActivityTimer { func cancel() {} }

        private let start = SuspendingClock().now
        var work: [@MainActor @Sendable () -> Void] = []
        var poll: (@MainActor @Sendable () -> Void)?
        var now: SuspendingClock.Instant { start }

        func performOnMain(_ work: @escaping @MainActor @Sendable () -> Void) { self.work.append(work) }

        @MainActor
        func schedule(
            at deadline: SuspendingClock.Instant, repeatingEvery interval: Duration?,
            _ work: @escaping @MainActor @Sendable () -> Void
        ) -> any ActivityTimer {
            poll = work
            return Timer()
        }

        @MainActor
        func run() { while !work.isEmpty { work.removeFirst()() } }
    }

    func run() {
        typealias Counter = @convention(c) () -> Int
        guard let symbol = dlsym(nil, "counted_locks") else {
            print("run this load with .ci/locks, which preloads the counter")
            exit(2)
        }
        let count = unsafeBitCast(symbol, to: Counter.self)
        let scheduler = Scheduler()
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let indicator = Indicator()
        manager.attach(indicator)
        scheduler.run()
        var result = (task: 0, turn: 0)
        // In the first round, the runtime also acquires locks to load type metadata, so only the second round counts.
        for _ in 0..<2 {
            let token = Token()
            let before = count()
            manager.beganNetworkTask(withToken: token)
            scheduler.run()
            precondition(indicator.isVisible)
            let shown = count()
            scheduler.poll?()
            let polled = count()
            manager.finishedNetworkTask(forToken: token)
            scheduler.run()
            result = (count() - before, polled - shown)
            precondition(!indicator.isVisible)
        }
        print("task \(result.task), idle turn \(result.turn)")
        exit(0)
    }
}
