import Foundation
import NetworkIndicator

final class Deinits: Sendable {
    private let manager = NetworkIndicatorManager(configuration: .immediate)
    private let count: Int
    private let exchange = Lock<[CallingToken?]>(Array(repeating: nil, count: 8))
    private let isOver = Lock(false)

    init(isMonitored: Bool, count: Int) {
        self.count = count
        if isMonitored { manager.attach(monitor: SilentMonitor()) }
    }

    private final class CallingToken: Sendable {
        let manager: NetworkIndicatorManager
        let number: Int

        init(_ manager: NetworkIndicatorManager, _ number: Int) {
            self.manager = manager
            self.number = number
        }

        deinit {
            switch number % 4 {
            case 0: manager.finishedNetworkTask(forToken: self)
            case 1: manager.beganNetworkTask(withToken: self)
            case 2: manager.beganNetworkTask(withToken: CallingToken(manager, 0))
            default: if number % 100 == 3 { manager.reset() } else { manager.finishedNetworkTask(forToken: manager) }
            }
        }
    }

    func run() {
        onThreads(2) { _ in
            for number in 0..<self.count {
                let token = CallingToken(self.manager, number)
                self.manager.beganNetworkTask(withToken: token)
                let out = self.exchange.withLock { slots in
                    let old = slots[number % slots.count]
                    slots[number % slots.count] = token
                    return old
                }
                withExtendedLifetime(out) {}
            }
        } then: {
            self.isOver.withLock { $0 = true }
            print("done")
            exit(0)
        }
        Thread.detachNewThread {
            while !self.isOver.withLock({ $0 }) {
                DispatchQueue.main.sync { MainActor.assumeIsolated { _ = self.manager.activeTaskCount } }
            }
        }
    }
}
