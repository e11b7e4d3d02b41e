import NetworkIndicator
import NetworkIndicatorTestKit

struct Scenario: Sendable {
    struct Task: Sendable {
        /// In milliseconds.
        let span: Range<Int>
        var isWeak = false
    }

    let title: String
    let tasks: [Task]

    /// In milliseconds.
    static let length = 2_000

    static let all = [
        Scenario(title: "A quick task shows nothing", tasks: [Task(span: 100..<160)]),
        Scenario(
            title: "A longer one shows after the show delay, until the hide delay", tasks: [Task(span: 100..<600)]),
        Scenario(title: "A short pause is bridged", tasks: [Task(span: 100..<400), Task(span: 600..<900)]),
        Scenario(
            title: "Short tasks add up",
            tasks: stride(from: 100, to: 800, by: 70).map { Task(span: $0..<$0 + 40) }),
        Scenario(title: "A deallocated object: the poll detects it", tasks: [Task(span: 100..<500, isWeak: true)]),
    ]

    @MainActor
    func visibleSpans(_ configuration: NetworkIndicatorManager.Configuration) -> [Range<Int>] {
        final class Token {}
        let scheduler = ManualScheduler()
        let manager = NetworkIndicatorManager(configuration: configuration, scheduler: scheduler)
        var opaque: [Int: NetworkTaskToken] = [:]
        var weak: [Int: Token] = [:]
        var spans: [Range<Int>] = []
        var shownAt: Int?
        for time in 0...Self.length {
            for (index, task) in tasks.enumerated() {
                if time == task.span.lowerBound, task.isWeak {
                    let token = Token()
                    weak[index] = token
                    manager.beganNetworkTask(withToken: token)
                } else if time == task.span.lowerBound {
                    opaque[index] = manager.beganNetworkTask()
                } else if time == task.span.upperBound {
                    opaque[index] = nil
                    weak[index] = nil
                }
            }
            scheduler.advance(by: .zero)
            if manager.isIndicatorVisible {
                shownAt = shownAt ?? time
            } else if let start = shownAt {
                spans.append(start..<time)
                shownAt = nil
            }
            scheduler.advance(by: .milliseconds(1))
        }
        return spans + (shownAt.map { [$0..<Self.length] } ?? [])
    }
}
