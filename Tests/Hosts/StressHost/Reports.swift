import Foundation
import NetworkIndicator

final class Reports: NetworkTaskMonitor {
    private let count: Int
    private let manager: NetworkIndicatorManager
    private let tokens = Lock<[NetworkTaskToken]>([])
    private let reports = Lock(0)

    init(count: Int) {
        self.count = count
        var configuration = NetworkIndicatorManager.Configuration.immediate
        configuration.longRunningTaskThreshold = .zero
        manager = NetworkIndicatorManager(configuration: configuration)
        manager.attach(monitor: self)
    }

    func receive(_ event: NetworkTaskEvent) {
        if case .stillRunning = event { reports.withLock { $0 += 1 } }
    }

    func run() {
        onThreads(8) { _ in
            for _ in 0..<self.count / 8 {
                let token = self.manager.beganNetworkTask()
                self.tokens.withLock { $0.append(token) }
            }
        } then: {
            // The main queue has already received the turn that reports the last task.
            Task { @MainActor in
                for token in self.tokens.withLock({ $0 }) { token.finish() }
                try await self.manager.waitUntilIdle()
                print("reported \(self.reports.withLock { $0 }) of \(self.count)")
                exit(0)
            }
        }
    }
}
