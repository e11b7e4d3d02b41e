/*:
 # Operations

 Pass each operation to the manager, which holds it weakly. When the queue has released the last one, the indicator goes
 off. No code has to end the tasks.
 */
import Foundation
import NetworkIndicator

#if !SWIFT_PACKAGE  // Xcode runs the page.
import PlaygroundSupport

PlaygroundPage.current.needsIndefiniteExecution = true
#endif

/// Prints the state of the indicator.
@MainActor final class Printer: ActivityIndicator {
    nonisolated init() {}
    func setVisible(_ isVisible: Bool) { print("indicator \(isVisible ? "on" : "off")") }
}

let manager = NetworkIndicatorManager.shared
manager.attach(Printer())
//: By default, the longest time between two polls is a second. A shorter one makes this page end sooner.
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
//: The main thread must be free for the indicator, as in an app.
while manager.hasActiveTasks || manager.isIndicatorVisible {
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
}
print("\(manager.activeTaskCount) tasks")

#if !SWIFT_PACKAGE  // Xcode runs the page.
PlaygroundPage.current.finishExecution()
#endif
//: [Next](@next)
