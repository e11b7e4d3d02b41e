/*:
 # Operations

 Pass each operation to the manager, which holds the operation weakly. After the queue has released the last operation,
 the indicator turns off. You don't need to end the tasks.
 */
import Foundation
import NetworkIndicator

#if !SWIFT_PACKAGE
import PlaygroundSupport

PlaygroundPage.current.needsIndefiniteExecution = true
#endif

@MainActor final class Printer: ActivityIndicator {
    nonisolated init() {}
    func setVisible(_ isVisible: Bool) { print("indicator \(isVisible ? "on" : "off")") }
}

let manager = NetworkIndicatorManager.shared
manager.attach(Printer())
//: By default, the time between two polls is at most a second. This page sets the limit to 200 ms.
manager.completionCheckInterval = .milliseconds(200)

let queue = OperationQueue()
queue.maxConcurrentOperationCount = 1
for number in 1...3 {
    let operation = BlockOperation {
        Thread.sleep(forTimeInterval: 0.4)  // network use
        print("operation \(number) done")
    }
    manager.beganNetworkTask(withToken: operation, label: "Operation \(number)")
    queue.addOperation(operation)
}
print("\(manager.activeTaskCount) tasks")
//: Indicators change on the main thread, so this page runs the main run loop while it waits.
while manager.activeTaskCount > 0 || manager.isIndicatorVisible {
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
}
print("\(manager.activeTaskCount) tasks")

#if !SWIFT_PACKAGE
PlaygroundPage.current.finishExecution()
#endif
//: [Next](@next)
