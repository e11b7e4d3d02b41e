/*:
 [Previous](@previous)

 # Your own indicator

 An indicator is a class with one required method. The manager calls this method on the main actor, first with the
 current value, here `false`, and then with each new value.
 */
import NetworkIndicator

@MainActor final class TitleIndicator: ActivityIndicator {
    private let name: String

    nonisolated init(_ name: String) { self.name = name }

    func setVisible(_ isVisible: Bool) { print("\(name): \(isVisible ? "Loading…" : "Ready")") }
}

let manager = NetworkIndicatorManager.shared
manager.attach(TitleIndicator("main window"))

page {
    try await manager.withNetworkTask {
        try await Task.sleep(for: .seconds(1))  // network use

        // You can attach any number of indicators. A new indicator first receives the current value, here `true`.
        let attachment = manager.attach(TitleIndicator("second window"))
        try await Task.sleep(for: .seconds(1))  // network use

        // If you detach an indicator that is on, the manager turns it off.
        attachment.detach()
        try await Task.sleep(for: .seconds(1))  // network use
    }
    try await manager.waitUntilIdle()

    // The visibility is also available as a stream. Each access to `visibilityUpdates` returns a new stream, which you
    // can iterate on any actor.
    let listener = Task {
        for await isVisible in manager.visibilityUpdates {
            print("stream: \(isVisible)")
            if isVisible { return }
        }
    }
    await manager.withNetworkTask { await listener.value }
    try await manager.waitUntilIdle()
}
//: [Next](@next)
