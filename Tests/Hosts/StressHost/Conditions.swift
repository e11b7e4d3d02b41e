import Foundation
import NetworkIndicator

final class Conditions: Sendable {
    private let count: Int
    private let manager = NetworkIndicatorManager(configuration: .immediate)
    private let isOver = Lock(false)

    init(count: Int) { self.count = count }

    private final class Work: Sendable {
        private let other = Lock<Work?>(nil)

        func hold(_ work: Work?) {
            let released = other.withLock { other in
                defer { other = work }
                return other
            }
            withExtendedLifetime(released) {}
        }
    }

    func run() {
        onThreads(8) { thread in
            for number in 0..<self.count / 8 { self.begin(number + thread) }
        } then: {
            self.isOver.withLock { $0 = true }
            Task { try await exitWhenIdle(self.manager) }
        }
        Task { @MainActor in
            while !self.isOver.withLock({ $0 }) {
                _ = (self.manager.activeTaskCount, self.manager.activeTasks.count)
                await Task.yield()
            }
        }
    }

    private func begin(_ number: Int) {
        let (work, other, manager) = (Work(), Work(), manager)
        work.hold(other)
        manager.beganNetworkTask(withToken: other) { _ in true }
        manager.beganNetworkTask(withToken: work) { work in
            switch number % 4 {
            case 0: manager.withNetworkTask {}
            case 1: manager.finishedNetworkTask(forToken: work)
            case 2: work.hold(nil)
            default: sched_yield()
            }
            return !number.isMultiple(of: 3)
        }
        if number.isMultiple(of: 5) { manager.finishedNetworkTask(forToken: work) }
    }
}
