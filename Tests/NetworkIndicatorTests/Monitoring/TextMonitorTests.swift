import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

@MainActor
@Suite final class TextMonitorTests: ManagerSuite {
    @Test func aLabelCannotControlATerminal() {
        let lines = Lock<[String]>([])
        manager.attach(monitor: TextMonitor { line in lines.withLock { $0.append(line) } })
        manager.beganNetworkTask(label: "x\u{1B}[31mred\r\nnext\u{9B}K\u{2028}").finish()
        #expect(lines.withLock { $0.count } == 2)
        for line in lines.withLock({ $0 }) {
            #expect(line.contains("x[31mred nextK "))
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.properties.generalCategory != .control })
        }
    }
}
