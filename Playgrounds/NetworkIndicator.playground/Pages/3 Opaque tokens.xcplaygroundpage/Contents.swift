/*:
 [Previous](@previous)

 # Opaque tokens

 If you have no object to track, let the manager create a token. The task ends as soon as you release the token. The
 manager doesn't need to poll for this task.
 */
import NetworkIndicator

let manager = NetworkIndicatorManager.shared
manager.attach(Printer())

@MainActor final class Player {
    private var buffering: NetworkTaskToken?

    func bufferRanEmpty() { buffering = manager.beganNetworkTask(label: "Buffering") }
    func bufferIsFull() { buffering = nil }
}

page {
    // The method `bufferIsFull()` releases the token, which ends the task.
    let player = Player()
    player.bufferRanEmpty()
    for await isVisible in manager.visibilityUpdates where isVisible { break }
    player.bufferIsFull()
    print("\(manager.activeTaskCount) tasks")
    try await manager.waitUntilIdle()

    // If the token's owner is deallocated, the task also ends.
    var owner: Player? = Player()
    owner?.bufferRanEmpty()
    print("\(manager.activeTaskCount) task")
    owner = nil
    print("\(manager.activeTaskCount) tasks, and nothing was shown")
}
//: [Next](@next)
