/*:
 [Previous](@previous)

 # Your own indicator

 An indicator is a class with one required method. The manager calls this method on the main actor, first with the
 current value, here `false`, and then with each new value.
 */
import Foundation
import NetworkIndicator

#if !SWIFT_PACKAGE
import PlaygroundSupport

PlaygroundPage.current.needsIndefiniteExecution = true
#endif

@MainActor final class TitleIndicator: ActivityIndicator {
    private let name: String
    private(set) var title = "Ready" {
        didSet { print("\(name): \(title)") }
    }

    nonisolated init(_ name: String) { self.name = name }

    func setVisible(_ isVisible: Bool) { title = isVisible ? "Loading…" : "Ready" }
}

let manager = NetworkIndicatorManager.shared
manager.attach(TitleIndicator("main window"))

func wait(until condition: () -> Bool) {
    while !condition() { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02)) }
}

let token = manager.beganNetworkTask()
wait { manager.isIndicatorVisible }
//: You can attach any number of indicators. A new indicator first receives the current value, here `true`.
let second = TitleIndicator("second window")
let attachment = manager.attach(second)
wait { second.title != "Ready" }
//: If you detach an indicator that is on, the manager turns it off.
attachment.detach()
wait { second.title == "Ready" }

token.finish()
wait { !manager.isIndicatorVisible }
//: The visibility is also available as a stream. Each access to `visibilityUpdates` returns a new stream, which you can
//: iterate on any actor.
let listener = Task {
    for await isVisible in manager.visibilityUpdates {
        print("stream: \(isVisible)")
        if isVisible { return }
    }
}
let again = manager.beganNetworkTask()
var isOver = false
Task {
    await listener.value
    isOver = true
}
wait { isOver }
again.finish()
wait { !manager.isIndicatorVisible }

#if !SWIFT_PACKAGE
PlaygroundPage.current.finishExecution()
#endif
//: [Next](@next)
