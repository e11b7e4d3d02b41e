/*:
 [Previous](@previous)

 # Finding what keeps it on

 If the indicator stays on, a task has not ended. `activeTasks` describes each task that is under way.
 */
import NetworkIndicator

let manager = NetworkIndicatorManager.shared

final class ImageLoader {}
final class FeedLoader {
    // A retain cycle: the loader retains its callback, and the callback retains the loader.
    var onCompletion: (() -> Void)?
    func start() {
        onCompletion = { print(self) }
        manager.beganNetworkTask(withToken: self, label: "Feed")
    }
}

do {
    let images = ImageLoader()
    manager.beganNetworkTask(withToken: images, label: "Images")
    FeedLoader().start()
    print("\(manager.activeTaskCount) tasks")
}
//: Both loaders are out of scope, but one of them is still alive. The output identifies this loader.
for task in manager.activeTasks {
    print("still active: \(task.label ?? "no label"), a \(task.tokenType), since line \(task.line)")
}
//: An attached monitor receives all later events. The event `stillRunning` reports a task that has lasted for at least
//: `longRunningTaskThreshold`.
struct Watcher: NetworkTaskMonitor {
    func receive(_ event: NetworkTaskEvent) {
        switch event {
        case .began(let task): print("began: \(task.label ?? "no label")")
        case .ended(let task, let end): print("ended: \(task.label ?? "no label"), \(end)")
        case .stillRunning(let task): print("still running: \(task.label ?? "no label")")
        case .misuse(let misuse): print("misuse: \(misuse.kind)")
        case .visibilityChanged(let isVisible): print("indicator \(isVisible ? "on" : "off")")
        }
    }
}
manager.updateConfiguration { $0.longRunningTaskThreshold = .milliseconds(500) }
manager.attach(monitor: Watcher())

page {
    // With a timeout, the error contains the tasks that are still under way.
    do {
        try await manager.waitUntilIdle(timeout: .seconds(2))
    } catch let error as NetworkBusyError {
        print("still busy: \(error.tasks.map(\.tokenType))")
    }

    // `reset()` ends all tasks.
    manager.reset()
    try await manager.waitUntilIdle()
    print("\(manager.activeTaskCount) tasks")
}
//: [Next](@next)
