/*:
 [Previous](@previous)

 # Explicit finish

 An object, such as a loader that you use several times, may outlive its work. To end the task of such an object before
 the object is deallocated, call `finishedNetworkTask(forToken:)`.
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

final class Loader {}
let loader = Loader()

func wait(until condition: () -> Bool) {
    while !condition() { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02)) }
}

manager.beganNetworkTask(withToken: loader)
wait { manager.isIndicatorVisible }
manager.finishedNetworkTask(forToken: loader)
print("\(manager.activeTaskCount) tasks, and the loader is still there")
wait { !manager.isIndicatorVisible }
//: After you finish a token's task, you can begin a new task with the token. A token has at most one task at a time.
manager.beganNetworkTask(withToken: loader)
manager.beganNetworkTask(withToken: loader)
print("\(manager.activeTaskCount) task")
manager.finishedNetworkTask(forToken: loader)
//: Finishing the loader's task again has no effect, except that monitors receive a misuse event.
struct MisusePrinter: NetworkTaskMonitor {
    func receive(_ event: NetworkTaskEvent) {
        if case .misuse(let misuse) = event { print("misuse: \(misuse.kind)") }
    }
}
manager.attach(monitor: MisusePrinter())
manager.finishedNetworkTask(forToken: loader)
print("\(manager.activeTaskCount) tasks")

#if !SWIFT_PACKAGE
PlaygroundPage.current.finishExecution()
#endif
//: [Next](@next)
