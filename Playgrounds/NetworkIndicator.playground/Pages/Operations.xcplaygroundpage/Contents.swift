/*:
 # Operations

 Hand over what does the work, and forget about it. The manager holds an operation weakly; once the queue has let go of
 the last of them, the indicator goes off. There is no call at the end, so none can be missed.
 */
import Foundation
import NetworkIndicator

#if canImport(PlaygroundSupport)
import PlaygroundSupport

PlaygroundPage.current.needsIndefiniteExecution = true
#endif

/// What an app would show, printed.
@MainActor final class Printer: ActivityIndicator {
    nonisolated init() {}
    func setVisible(_ isVisible: Bool) { print("indicator \(isVisible ? "on" : "off")") }
}

let manager = NetworkIndicatorManager.shared
manager.attach(Printer())
//: The manager looks for objects that are gone once a second. Here more often, so that the page is over sooner.
manager.completionCheckInterval = .milliseconds(200)

let queue = OperationQueue()
queue.maxConcurrentOperationCount = 1
for number in 1...3 {
    let operation = BlockOperation {
        Thread.sleep(forTimeInterval: 0.4)  // Stands for a request.
        print("operation \(number) done")
    }
    manager.beganNetworkTask(withToken: operation, label: "Operation \(number)")
    queue.addOperation(operation)
}
print("\(manager.activeTaskCount) tasks")
//: The main thread has to be free for the indicator, as it is in an app.
while manager.hasActiveTasks || manager.isIndicatorVisible {
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
}
print("\(manager.activeTaskCount) tasks")

#if canImport(PlaygroundSupport)
PlaygroundPage.current.finishExecution()
#endif
//: [Next](@next)
