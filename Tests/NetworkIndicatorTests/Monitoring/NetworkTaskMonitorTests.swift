import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10)))
final class NetworkTaskMonitorTests: ManagerSuite {
    let monitor = RecordingMonitor()

    init() {
        super.init()
        manager.attach(monitor: monitor)
        settle()
    }

    @Test func everyKindOfTaskBeginsAndEnds() async {
        var object: Token? = Token()
        manager.beganNetworkTask(withToken: object!, label: "A")
        let token = manager.beganNetworkTask(label: "B")
        manager.incrementActivityCount()
        scheduler.advance(by: .zero)
        manager.decrementActivityCount()
        token.finish()
        object = nil
        scheduler.advance(by: .seconds(1))
        await manager.withNetworkTask(label: "C") { await Task.yield() }
        #expect(
            monitor.log == [
                "began A", "began B", "began activity count", "visible true", "ended activity count finished",
                "ended B finished", "ended A deallocated", "visible false", "began C", "ended C finished",
            ])
    }

    @Test func beginsDescribeTheTask() throws {
        let object = Token()
        manager.beganNetworkTask(withToken: object, label: "A", line: 42)
        let task = try #require(manager.activeTasks.first)
        #expect(task.label == "A")
        #expect(task.tokenType == "Token")
        #expect(task.fileID == "NetworkIndicatorTests/NetworkTaskMonitorTests.swift")
        #expect(task.line == 42)
        #expect(task.began == scheduler.now)
        #expect("\(task)".contains("NetworkTaskMonitorTests.swift:42"))
    }

    @Test func misuseNamesTheCallAndTheRemedy() throws {
        let object = Token()
        manager.finishedNetworkTask(forToken: object, line: 1)
        manager.beganNetworkTask(withToken: object, line: 2)
        manager.beganNetworkTask(withToken: object, line: 3)
        #expect(monitor.misuses.map(\.kind) == [.unknownToken, .alreadyBegan])
        #expect(monitor.misuses.map(\.line) == [1, 3])
        let text = try #require(monitor.misuses.first).description
        #expect(text.hasPrefix("NetworkIndicatorTests/NetworkTaskMonitorTests.swift:1: ") && text.contains("(Token)"))
    }

    @Test func everyPollReportsEveryEnd() async {
        let kept = (0..<5).map { _ in Token() }
        kept.forEach { manager.beganNetworkTask(withToken: $0, label: "kept") }
        do {
            let dropped = (0..<3000).map { _ in Token() }
            dropped.forEach { manager.beganNetworkTask(withToken: $0, label: "dropped") }
        }
        scheduler.advance(by: .seconds(1))
        #expect(manager.entryCount == 5)
        while monitor.events.count < 5 + 3000 + 3000 + 1 { await Task.yield() }
        #expect(monitor.log.count { $0 == "ended dropped deallocated" } == 3000)
        #expect(!monitor.log.contains("ended kept deallocated"))
        withExtendedLifetime(kept) {}
    }

    @Test func eventsAreEquatable() throws {
        let token = Token()
        manager.beganNetworkTask(withToken: token, label: "A")
        manager.finishedNetworkTask(forToken: manager)
        let (task, later) = (manager.activeTasks[0], manager.activeTasks[0])
        let other = manager.beganNetworkTask(label: "A")
        #expect(task == later)
        #expect(monitor.events == [.began(task), .misuse(monitor.misuses[0]), .began(manager.activeTasks[1])])
        #expect(task != manager.activeTasks[1])
        other.finish()
    }

    @Test(arguments: [false, true]) func aLongIntervalDoesNotDelayReports(isWeak: Bool) {
        manager.completionCheckInterval = .seconds(600)
        let (object, later) = (Token(), Token())
        manager.beganNetworkTask(withToken: object)
        // After two hours, the polls of the object are ten minutes apart.
        scheduler.advance(by: .seconds(7200))
        let task = isWeak ? nil : manager.beganNetworkTask(label: "A")
        if isWeak { manager.beganNetworkTask(withToken: later, label: "A") }
        scheduler.advance(by: .seconds(59))
        #expect(monitor.log.last == "began A")
        scheduler.advance(by: .seconds(1))
        #expect(monitor.log.last == "still running A")
        withExtendedLifetime((object, later, task)) {}
    }

    @Test func thresholdMayChangeOrBeNone() {
        let token = manager.beganNetworkTask(label: "A")
        manager.updateConfiguration { $0.longRunningTaskThreshold = nil }
        scheduler.advance(by: .seconds(1000))
        #expect(monitor.log.count { $0.hasPrefix("still") } == 0)
        #expect(scheduler.timerCount == 0)
        manager.updateConfiguration { $0.longRunningTaskThreshold = .seconds(5000) }
        scheduler.advance(by: .zero)
        manager.updateConfiguration { $0.longRunningTaskThreshold = .seconds(5) }
        scheduler.advance(by: .zero)
        #expect(monitor.log.last == "still running A")
        token.finish()
    }

    @Test func decrementEndsTheLatestIncrement() {
        let manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        let (monitor, other) = (RecordingMonitor(), RecordingMonitor())
        let first = manager.attach(monitor: other)
        manager.incrementActivityCount(line: 1)
        first.detach()
        manager.incrementActivityCount(line: 2)
        manager.attach(monitor: monitor)
        #expect(manager.activeTasks.map(\.line) == [1, 2])
        manager.decrementActivityCount()
        #expect(manager.activeTasks.map(\.line) == [1])
        scheduler.advance(by: .seconds(70))
        manager.decrementActivityCount()
        let end = "ended activity count finished"
        #expect(monitor.log == [end, "visible true", "still running activity count", end])
        #expect(other.log == ["began activity count"])
    }
}
