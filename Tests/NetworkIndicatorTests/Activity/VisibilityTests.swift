import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

/// Each character of a timeline stands for 10 ms. In the timeline of tasks, consecutive equal characters stand for one
/// task. `w` stands for a caller's object, `o` or `#` for an opaque token, `c` for a counted task, and `-` for no task.
/// In the indicator's timeline, `*` means that the indicator is on at the start of the 10 ms, and `.` means that it is
/// off. The oracle covers changes of the settings.
@MainActor
@Suite struct VisibilityTests {
    private final class Token {}

    private func play(
        _ tasks: String, _ configuration: NetworkIndicatorManager.Configuration = .standard
    ) -> String {
        let scheduler = ManualScheduler()
        let manager = NetworkIndicatorManager(configuration: configuration, scheduler: scheduler)
        let indicator = RecordingIndicator()
        manager.attach(indicator)
        var present: Character = "-"
        var object: Token?
        var opaque: NetworkTaskToken?
        var shown = ""
        for (position, task) in tasks.enumerated() {
            if position > 0 { scheduler.advance(by: .milliseconds(10)) }
            if task != present {
                let old = (object, opaque, present)
                switch task {
                case "w":
                    object = Token()
                    manager.beganNetworkTask(withToken: object!)
                case "#", "o": opaque = manager.beganNetworkTask()
                case "c": manager.incrementActivityCount()
                default: break
                }
                switch old.2 {
                case "w": object = task == "w" ? object : nil
                case "#", "o": old.1?.finish()
                case "c": manager.decrementActivityCount()
                default: break
                }
                present = task
            }
            scheduler.advance(by: .zero)
            #expect(indicator.isVisible == manager.isIndicatorVisible)
            shown += indicator.isVisible ? "*" : "."
        }
        #expect(indicator.history.enumerated().allSatisfy { $0.element == ($0.offset % 2 == 0) })
        return shown
    }

    private nonisolated static func times(_ count: Int, _ text: String) -> String {
        String(repeating: text, count: count)
    }

    @Test(arguments: [
        // The show delay, and then the hide delay
        (times(20, "#") + times(40, "-"), times(10, ".") + times(40, "*") + times(10, ".")),
        (times(9, "#") + times(40, "-"), times(49, ".")),
        // Pauses that are shorter than the hide delay
        (times(15, "#") + times(29, "-") + times(10, "#") + times(31, "-"), times(10, ".") + times(74, "*") + "."),
        (times(10, "#########---"), times(13, ".") + times(107, "*")),
        (times(20, "#####-"), times(11, ".") + times(109, "*")),
        (times(4, "#" + times(24, "-")), times(100, ".")),
        // A pause that ends the busy period
        (times(9, "#") + times(30, "-") + times(12, "#"), times(49, ".") + "**"),
        // Objects: the poll at 1,300 ms detects that the second one was deallocated at 1,200 ms.
        (times(5, "w") + times(95, "-"), times(100, ".")),
        (times(120, "w") + times(120, "-"), times(10, ".") + times(150, "*") + times(80, ".")),
    ])
    func theIndicatorFollowsTheTasks(tasks: String, indicator: String) { #expect(play(tasks) == indicator) }

    @Test func minimumVisibleDurationKeepsItOn() {
        var configuration = NetworkIndicatorManager.Configuration.immediate
        configuration.minimumVisibleDuration = .milliseconds(100)
        #expect(play("###" + Self.times(12, "-"), configuration) == Self.times(10, "*") + Self.times(5, "."))
        #expect(play(Self.times(12, "#") + "--", configuration) == Self.times(12, "*") + "..")
    }

    @Test func immediateShowsAndHidesAtOnce() {
        #expect(play("##--#-", .immediate) == "**..*.")
    }

    @Test(arguments: ["oc", "co", "cw", "ow"])
    func kindsFollowEachOtherWithoutPause(kinds: String) {
        let (first, second) = (String(kinds.first!), String(kinds.last!))
        let shown = play(Self.times(60, first) + Self.times(60, second) + Self.times(200, "-"))
        let on = second == "w" ? 145 : 140
        #expect(shown == Self.times(10, ".") + Self.times(on, "*") + Self.times(310 - on, "."))
    }
}
