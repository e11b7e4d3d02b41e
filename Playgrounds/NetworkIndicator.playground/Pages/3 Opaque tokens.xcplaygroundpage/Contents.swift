/*:
 [Previous](@previous)

 # Opaque tokens

 If there is no object to track, the manager makes a token. The task ends at once when you release the token, without
 polling.
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

/// Work that begins in one function and ends in another.
@MainActor final class Player {
    private var buffering: NetworkTaskToken?

    func bufferRanEmpty() { buffering = manager.beganNetworkTask(label: "Buffering") }
    func bufferIsFull() { buffering = nil }
}

func wait(until condition: () -> Bool) {
    while !condition() { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02)) }
}
//: A property that is set to `nil` ends the task.
let player = Player()
player.bufferRanEmpty()
wait { manager.isIndicatorVisible }
player.bufferIsFull()
print("\(manager.activeTaskCount) tasks")
wait { !manager.isIndicatorVisible }
//: The deallocation of the owner ends it too.
var owner: Player? = Player()
owner?.bufferRanEmpty()
print("\(manager.activeTaskCount) task")
owner = nil
print("\(manager.activeTaskCount) tasks, and nothing was shown")

#if !SWIFT_PACKAGE  // Xcode runs the page.
PlaygroundPage.current.finishExecution()
#endif
//: [Next](@next)
