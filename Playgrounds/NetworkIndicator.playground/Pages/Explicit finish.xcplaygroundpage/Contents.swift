/*:
 [Previous](@previous)

 # Explicit finish

 An object may live on after its work: a loader that is used again, a view controller. Say when the work is over, and the
 indicator does not wait for the object. Forget to say it, and the task ends with the object.
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
//: A finished token can begin again. A token is one task, however often it begins.
manager.beganNetworkTask(withToken: loader)
manager.beganNetworkTask(withToken: loader)
print("\(manager.activeTaskCount) task")
manager.finishedNetworkTask(forToken: loader)
//: A finish too many changes nothing. Monitors hear of it, as they hear of every call that cannot be right.
struct MisusePrinter: NetworkTaskMonitor {
    func networkIndicator(_ event: NetworkTaskEvent) {
        if case .misuse(let misuse) = event { print("misuse: \(misuse.kind)") }
    }
}
manager.addMonitor(MisusePrinter())
manager.finishedNetworkTask(forToken: loader)
print("\(manager.activeTaskCount) tasks")

#if canImport(PlaygroundSupport)
PlaygroundPage.current.finishExecution()
#endif
//: [Next](@next)
