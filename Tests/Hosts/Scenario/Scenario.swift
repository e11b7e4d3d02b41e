import Foundation
import NetworkIndicator

package final class Scenario: Sendable {
    private enum Kind: String {
        case waiting, operation, growth, nesting, chains
    }

    private let manager = NetworkIndicatorManager()
    private let start = SuspendingClock().now
    private let kind: Kind
    private let stall = Lock<Duration>(.zero)
    private let changes = DispatchSemaphore(value: 0)

    package init(arguments: ArraySlice<String>) {
        kind = arguments.first.flatMap(Kind.init(rawValue:))!
    }

    package func begin() {
        switch kind {
        case .growth: return Thread.detachNewThread { Growth(note: self.note).run() }
        case .nesting: return Nesting(note: note).run()
        case .chains: return Chains(note: note).run()
        default: break
        }
        manager.attach { isVisible in
            self.note(isVisible ? "on" : "off")
            self.changes.signal()
        }
        Thread.detachNewThread { while true { self.sleep(milliseconds: 5) } }
        Thread.detachNewThread {
            self.run()
            if self.kind == .waiting { self.changes.wait() } else { Thread.sleep(forTimeInterval: 2) }
            self.note("stalled \(Int(self.stall.withLock { $0 }.timeInterval * 1000))")
            exit(0)
        }
    }

    private func run() {
        if kind == .waiting { changes.wait() }
        let operation = Operation()
        note("began")
        manager.beganNetworkTask(withToken: operation)
        if kind == .waiting { changes.wait() } else { sleep(milliseconds: 400) }
        note("ended")
        withExtendedLifetime(operation) {}
    }

    private func sleep(milliseconds: Int) {
        let due = SuspendingClock().now.advanced(by: .milliseconds(milliseconds))
        Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
        let delay = due.duration(to: SuspendingClock().now)
        stall.withLock { $0 = max($0, delay) }
    }

    private func note(_ text: String) {
        let milliseconds = Int(start.duration(to: SuspendingClock().now).timeInterval * 1000)
        FileHandle.standardOutput.write(Data("\(milliseconds) \(text)\n".utf8))
    }
}
