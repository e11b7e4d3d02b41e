import Foundation
import NetworkIndicator

final class MainObjects: Sendable {
    private let rounds: Int
    private let manager = NetworkIndicatorManager(configuration: .immediate)
    private let isOver = Lock(false)
    private let strays = Lock(0)

    init(rounds: Int) { self.rounds = rounds }

    private final class Token: Sendable {}

    private final class MainToken: Sendable {
        private let owner = ObjectIdentifier(Thread.current)
        private let strays: Lock<Int>

        init(_ strays: Lock<Int>) { self.strays = strays }

        deinit { if ObjectIdentifier(Thread.current) != owner { strays.withLock { $0 += 1 } } }
    }

    private struct SilentMonitor: NetworkTaskMonitor {
        func receive(_ event: NetworkTaskEvent) {}
    }

    @MainActor
    func run() {
        manager.attach(monitor: SilentMonitor())
        for _ in 0..<3 {
            Thread.detachNewThread {
                while !self.isOver.withLock({ $0 }) {
                    let token = Token()
                    self.manager.beganNetworkTask(withToken: token)
                    let opaque = self.manager.beganNetworkTask()
                    self.manager.finishedNetworkTask(forToken: token)
                    opaque.finish()
                }
            }
        }
        for round in 0..<rounds {
            let tokens = (0..<10).map { _ in MainToken(strays) }
            for token in tokens { manager.beganNetworkTask(withToken: token) }
            withExtendedLifetime(tokens) {}
            if round.isMultiple(of: 10) { _ = manager.activeTasks }
            if round.isMultiple(of: 50) { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.001)) }
        }
        isOver.withLock { $0 = true }
        print("deallocated elsewhere \(strays.withLock { $0 })")
        exit(0)
    }
}
