/*:
 [Previous](@previous)

 # Explicit finish

 An object, such as a loader that you use several times, may outlive its work. To end the task of such an object before
 the object is deallocated, call `finishedNetworkTask(forToken:)`.
 */
import NetworkIndicator

let manager = NetworkIndicatorManager.shared
manager.attach(Printer())

final class Loader {}
let loader = Loader()

struct MisusePrinter: NetworkTaskMonitor {
    func receive(_ event: NetworkTaskEvent) {
        if case .misuse(let misuse) = event { print("misuse: \(misuse.kind)") }
    }
}

page {
    manager.beganNetworkTask(withToken: loader)
    for await isVisible in manager.visibilityUpdates where isVisible { break }
    manager.finishedNetworkTask(forToken: loader)
    print("\(manager.activeTaskCount) tasks, and the loader is still there")
    try await manager.waitUntilIdle()

    // After you finish a token's task, you can begin a new task with the token. A token has at most one task at a time.
    manager.beganNetworkTask(withToken: loader)
    manager.beganNetworkTask(withToken: loader)
    print("\(manager.activeTaskCount) task")
    manager.finishedNetworkTask(forToken: loader)

    // Finishing the loader's task again has no effect, except that monitors receive a misuse event.
    manager.attach(monitor: MisusePrinter())
    manager.finishedNetworkTask(forToken: loader)
    print("\(manager.activeTaskCount) tasks")
}
//: [Next](@next)
