/*:
 [Previous](@previous)

 # Opaque tokens

 Where there is no object to hand over, the manager makes one. The task lasts as long as you hold the token, and its end
 is known at once, without polling.
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

/// Anything that begins in one place and ends in another.
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
//: So does an owner that goes away, in the middle of its work or not.
var owner: Player? = Player()
owner?.bufferRanEmpty()
print("\(manager.activeTaskCount) task")
owner = nil
print("\(manager.activeTaskCount) tasks, and nothing was shown")

#if canImport(PlaygroundSupport)
PlaygroundPage.current.finishExecution()
#endif
//: [Next](@next)
