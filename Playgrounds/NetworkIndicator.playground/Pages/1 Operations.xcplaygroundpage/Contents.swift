/*:
 # Operations

 Pass each operation to the manager, which holds the operation weakly. After the queue has released the last operation,
 the indicator turns off. You don't need to end the tasks.
 */
import Foundation
import NetworkIndicator

let manager = NetworkIndicatorManager.shared
manager.attach(Printer())

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
//: Indicators change on the main thread, so a program must not block this thread while it waits.
page {
    try await manager.waitUntilIdle()
    print("\(manager.activeTaskCount) tasks")
}
//: [Next](@next)
