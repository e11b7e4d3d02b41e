/*:
 [Previous](@previous)

 # Delays and flicker

 Network use that adds up to less than the show delay is not shown, and a pause shorter than the hide delay is bridged.
 This page draws what that means. Time is a `ManualScheduler`'s, so it takes none. Change the tasks and see.
 */
import NetworkIndicator
import NetworkIndicatorTestKit

#if canImport(PlaygroundSupport)
import PlaygroundSupport
#endif

/// Draws tasks, given by their begins and ends in milliseconds, and the indicator. A column is 25 milliseconds.
@MainActor
func draw(
    _ title: String, _ tasks: [Range<Int>], configuration: NetworkIndicatorManager.Configuration = .standard
) {
    let scheduler = ManualScheduler()
    let manager = NetworkIndicatorManager(configuration: configuration, scheduler: scheduler)
    var tokens: [Int: NetworkTaskToken] = [:]
    var busy = ""
    var visible = ""
    for time in stride(from: 0, to: 1_500, by: 25) {
        for (index, task) in tasks.enumerated() {
            if time == task.lowerBound { tokens[index] = manager.beganNetworkTask() }
            if time == task.upperBound { tokens[index] = nil }
        }
        scheduler.advance(by: .zero)
        busy += tokens.isEmpty ? "·" : "█"
        visible += manager.isIndicatorVisible ? "█" : "·"
        scheduler.advance(by: .milliseconds(25))
    }
    print("\(title)\n  tasks      \(busy)\n  indicator  \(visible)\n")
}
//: Too short to be worth showing.
draw("A quick task", [100..<175])
//: Shown after 100 ms, hidden 300 ms after the end.
draw("A longer task", [100..<600])
//: The indicator stays on across the pause.
draw("A short pause", [100..<400, 600..<900])
//: After a long pause it waits again before it shows.
draw("A long pause", [100..<400, 900..<1_200])
//: Each of these alone would show nothing. Together they are a network in use.
draw("Short tasks", [100..<150, 200..<250, 300..<350, 400..<450, 500..<550])
//: The same without delays is flicker.
draw(
    "Short tasks, without delays", [100..<150, 200..<250, 300..<350, 400..<450, 500..<550],
    configuration: .immediate)
//: For a place where a change disturbs: once on, on for a second.
var calm = NetworkIndicatorManager.Configuration.standard
calm.minimumVisibleDuration = .seconds(1)
draw("On for a second at least", [100..<300], configuration: calm)

#if canImport(PlaygroundSupport)
PlaygroundPage.current.finishExecution()
#endif
//: [Next](@next)
