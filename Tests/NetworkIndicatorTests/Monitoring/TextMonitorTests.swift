import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

@MainActor
@Suite final class TextMonitorTests: ManagerSuite {
    @Test func aLabelCannotControlATerminal() {
        let lines = Lock<[String]>([])
        manager.attach(monitor: TextMonitor { line in lines.withLock { $0.append(line) } })
        manager.beganNetworkTask(label: "x\u{1B}[31mred\r\nnext\u{9B}K\u{2028}\u{202E}").finish()
        #expect(lines.withLock { $0.count } == 2)
        for line in lines.withLock({ $0 }) {
            #expect(line.contains("x[31mred nextK "))
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
        }
    }

    @Test func anyAgeCanBePrinted() {
        let token = manager.beganNetworkTask(fileID: "App/Feed.swift", line: 7)
        scheduler.advance(by: .seconds(Int64.max))
        let ages = manager.activeTasks.map(\.description)
        #expect(ages == ["NetworkTaskToken, 3153600000 s, begun at App/Feed.swift:7"])
        let record = manager.tracker.read { $0.tasks.records[0] }
        let earlier = NetworkTaskInfo(record: record, asOf: record.began + .seconds(-2e18))
        #expect(earlier.age == .zero)
        #expect(earlier.description == "NetworkTaskToken, 0.0 s, begun at App/Feed.swift:7")
        withExtendedLifetime(token) {}
    }

    @Test func aLineStatesTheTimeTheDurationAndTheType() {
        let lines = Lock<[String]>([])
        let monitor = TextMonitor(now: { [scheduler] in scheduler.now }) { line in lines.withLock { $0.append(line) } }
        scheduler.advance(by: .milliseconds(250))
        manager.attach(monitor: monitor)
        settle()
        var token: Token? = Token()
        manager.beganNetworkTask(withToken: token!, label: "Fetch 1", fileID: "App/Feed.swift", line: 7)
        manager.incrementActivityCount(fileID: "App/Feed.swift", line: 9)
        scheduler.advance(by: .milliseconds(750))
        manager.decrementActivityCount(fileID: "App/Feed.swift", line: 9)
        token = nil
        scheduler.advance(by: .seconds(1))
        #expect(
            lines.withLock { $0 } == [
                "0.250 s began Fetch 1, Token, begun at App/Feed.swift:7",
                "0.250 s began activity count, begun at App/Feed.swift:9",
                "0.250 s indicator on",
                "1.000 s finished activity count, 0.750 s, begun at App/Feed.swift:9",
                "1.050 s deallocated Fetch 1, 0.800 s, Token, begun at App/Feed.swift:7",
                "1.050 s indicator off",
            ])
    }
}
