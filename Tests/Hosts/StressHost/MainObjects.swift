import Foundation
import NetworkIndicator

@MainActor
func mainObjects(rounds: Int) {
    let (manager, isOver) = (NetworkIndicatorManager(configuration: .immediate), Lock(false))
    manager.attach(monitor: SilentMonitor())
    for _ in 0..<3 {
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) {
                let token = Token()
                manager.beganNetworkTask(withToken: token)
                let opaque = manager.beganNetworkTask()
                manager.finishedNetworkTask(forToken: token)
                opaque.finish()
            }
        }
    }
    for round in 0..<rounds {
        let tokens = (0..<10).map { _ in OwnedObject() }
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        withExtendedLifetime(tokens) {}
        if round.isMultiple(of: 10) { _ = manager.activeTasks }
        if round.isMultiple(of: 50) { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.001)) }
    }
    isOver.withLock { $0 = true }
    OwnedObject.printStrays()
    do {
        let released = NetworkIndicatorManager()
        released.attach { _ in }
        released.incrementActivityCount()
    }
    exit(0)
}
