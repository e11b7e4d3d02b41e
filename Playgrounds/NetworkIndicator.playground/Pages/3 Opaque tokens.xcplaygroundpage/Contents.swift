/*:
 [Previous](@previous)

 # Opaque tokens

 If you have no object to track, let the manager create a token. The task ends as soon as you release the token. The
 manager doesn't need to poll for this task.
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

@MainActor final class Player {
    private var buffering: NetworkTaskToken?

    func bufferRanEmpty() { buffering = manager.beganNetworkTask(label: "Buffering") }
    func bufferIsFull() { buffering = nil }
}

func wait(until condition: () -> Bool) {
    while !condition() { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02)) }
}
//: The method `bufferIsFull()` releases the token, which ends the task.
let player = Player()
player.bufferRanEmpty()
wait { manager.isIndicatorVisible }
player.bufferIsFull()
print("\(manager.activeTaskCount) tasks")
wait { !manager.isIndicatorVisible }
//: If the token's owner is deallocated, the task also ends.
var owner: Player? = Player()
owner?.bufferRanEmpty()
print("\(manager.activeTaskCount) task")
owner = nil
print("\(manager.activeTaskCount) tasks, and nothing was shown")

#if !SWIFT_PACKAGE
PlaygroundPage.current.finishExecution()
#endif
//: [Next](@next)
