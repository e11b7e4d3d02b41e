import Foundation
import NetworkIndicator

package final class Scenario: Sendable {
    private enum Kind: String {
        case waiting, growth, nesting, chains
    }

    private let manager = NetworkIndicatorManager()
    private let start = SuspendingClock().now
    private let kind: Kind
    private let changes = DispatchSemaphore(value: 0)

    package init(arguments: ArraySlice<String>) {
        kind = arguments.first.flatMap(Kind.init(rawValue:))!
    }

    package func begin() {
        switch kind {
        case .growth: return Thread.detachNewThread { Growth(note: self.note).run() }
        case .nesting: return Nesting(note: note).run()
        case .chains: return Chains(note: note).run()
        case .waiting: break
        }
        manager.attach { isVisible in
            self.note(isVisible ? "on" : "off")
            self.changes.signal()
        }
        Thread.detachNewThread {
            self.run()
            self.changes.wait()
            exit(0)
        }
    }

    private func run() {
        changes.wait()
        let operation = Operation()
        note("began")
        manager.beganNetworkTask(withToken: operation)
        changes.wait()
        note("ended")
        withExtendedLifetime(operation) {}
    }

    private func note(_ text: String) {
        let milliseconds = Int(start.duration(to: SuspendingClock().now).timeInterval * 1000)
        FileHandle.standardOutput.write(Data("\(milliseconds) \(text)\n".utf8))
    }
}
