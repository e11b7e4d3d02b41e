import Foundation
import NetworkIndicator

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

func deinits(isMonitored: Bool, count: Int) {
    let (manager, isOver) = (NetworkIndicatorManager(configuration: .immediate), Lock(false))
    let exchange = Lock<[CallingToken?]>(Array(repeating: nil, count: 8))
    if isMonitored { manager.attach(monitor: SilentMonitor()) }
    Thread.detachNewThread {
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            for number in 0..<count {
                let token = CallingToken(manager, number)
                manager.beganNetworkTask(withToken: token)
                let out = exchange.withLock { slots in
                    let old = slots[number % slots.count]
                    slots[number % slots.count] = token
                    return old
                }
                withExtendedLifetime(out) {}
            }
        }
        isOver.withLock { $0 = true }
        print("done")
        exit(0)
    }
    Thread.detachNewThread {
        while !isOver.withLock({ $0 }) {
            DispatchQueue.main.sync { MainActor.assumeIsolated { _ = manager.activeTaskCount } }
        }
    }
}
