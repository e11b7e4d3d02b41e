import Foundation
import NetworkIndicator

final class Conditions: Sendable {
    private static let threads = 8
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
        let group = DispatchGroup()
        for thread in 0..<Self.threads {
            group.enter()
            Thread.detachNewThread {
                for number in 0..<self.count / Self.threads { self.begin(number + thread) }
                group.leave()
            }
        }
        Task { @MainActor in
            while !self.isOver.withLock({ $0 }) {
                _ = (self.manager.activeTaskCount, self.manager.activeTasks.count)
                await Task.yield()
            }
        }
        group.notify(queue: .global()) {
            self.isOver.withLock { $0 = true }
            Task { @MainActor in
                try await self.manager.waitUntilIdle()
                print("left \(self.manager.activeTaskCount), visible \(self.manager.isIndicatorVisible)")
                exit(0)
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
