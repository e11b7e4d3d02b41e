import Foundation
import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@MainActor
struct DrawingTests {
    /// All times are in milliseconds.
    private static let scenarios: [(title: String, tasks: [Range<Int>], areWeak: Bool)] = [
        ("A quick task shows nothing", [100..<160], false),
        ("A longer one shows after the show delay, until the hide delay", [100..<600], false),
        ("A short pause is bridged", [100..<400, 600..<900], false),
        ("Short tasks add up", stride(from: 100, to: 800, by: 70).map { $0..<$0 + 40 }, false),
        ("A deallocated object: the poll detects it", [100..<500], true),
    ]

    @Test func theDrawing() throws {
        let file = Sample.root.appending(path: "Sources/NetworkIndicator/Documentation.docc/visibility.svg")
        let drawing = try String(contentsOf: file, encoding: .utf8)
        for scenario in Self.scenarios { #expect(drawing.contains(">\(scenario.title)<")) }
        let spans = Self.scenarios.flatMap { visibleSpans(of: $0.tasks, areWeak: $0.areWeak) }
        #expect(drawing.matches(of: />(\d+)–(\d+)</).map { "\($0.1)..<\($0.2)" } == spans.map { "\($0)" })
    }

    private func visibleSpans(of tasks: [Range<Int>], areWeak: Bool) -> [Range<Int>] {
        final class Token {}
        let scheduler = ManualScheduler()
        let manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        var tokens: [Range<Int>: AnyObject] = [:]
        var spans: [Range<Int>] = []
        var shownAt: Int?
        for time in 0..<2_000 {
            for task in tasks where time == task.lowerBound {
                if areWeak {
                    let token = Token()
                    tokens[task] = token
                    manager.beganNetworkTask(withToken: token)
                } else {
                    tokens[task] = manager.beganNetworkTask()
                }
            }
            for task in tasks where time == task.upperBound { tokens[task] = nil }
            scheduler.advance(by: .zero)
            if manager.isIndicatorVisible {
                shownAt = shownAt ?? time
            } else if let start = shownAt {
                spans.append(start..<time)
                shownAt = nil
            }
            scheduler.advance(by: .milliseconds(1))
        }
        return spans
    }
}
