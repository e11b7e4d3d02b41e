/*:
 [Previous](@previous)

 # Delays and flicker

 Network use that adds up to less than the show delay isn't shown. A pause shorter than the hide delay is bridged. This
 page draws examples of both. A `ManualScheduler` provides the time, so the page doesn't wait. You can change the tasks
 and run the page again.
 */
import NetworkIndicator
import NetworkIndicatorTestKit

/// The bounds of each range are the start and the end of a task in milliseconds. A column of the drawing represents 25
/// milliseconds.
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
//: This task is too short to be shown.
draw("A quick task", [100..<175])
//: The indicator turns on 100 ms after the start of this task, and turns off 300 ms after the end.
draw("A longer task", [100..<600])
//: During a short pause, the indicator stays on.
draw("A short pause", [100..<400, 600..<900])
//: After a long pause, the show delay applies again.
draw("A long pause", [100..<400, 900..<1_200])
//: None of these tasks alone would be shown, but the durations of the first two add up to the show delay.
draw("Short tasks", [100..<150, 200..<250, 300..<350, 400..<450, 500..<550])
//: Without delays, the indicator flickers during the same tasks.
draw(
    "Short tasks, without delays", [100..<150, 200..<250, 300..<350, 400..<450, 500..<550],
    configuration: .immediate)
//: This minimum visible duration keeps the indicator on for at least a second.
var calm = NetworkIndicatorManager.Configuration.standard
calm.minimumVisibleDuration = .seconds(1)
draw("On for a second at least", [100..<300], configuration: calm)
