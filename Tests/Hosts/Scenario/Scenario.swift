import Foundation
package import NetworkIndicator

package final class Scenario: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case waiting
        case operation
        case longTasksShortPauses
        case shortTasksShortPauses
        case rareTasks
        case droppedEarly
        case growth
        case nesting
        case chains
    }

    package let manager = NetworkIndicatorManager()
    private let start = SuspendingClock().now
    private let kind: Kind
    private let stall = Lock<Duration>(.zero)
    private let changes = DispatchSemaphore(value: 0)

    package init(_ kind: Kind) {
        self.kind = kind
    }

    package convenience init(arguments: ArraySlice<String>) {
        guard let kind = arguments.first.flatMap(Kind.init(rawValue:)) else {
            print("usage: HOST", Kind.allCases.map(\.rawValue).joined(separator: "|"))
            exit(2)
        }
        self.init(kind)
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
        Thread.detachNewThread { self.measureStalls() }
        Thread.detachNewThread {
            self.run()
            if self.kind == .waiting { self.changes.wait() } else { Thread.sleep(forTimeInterval: 2) }
            self.note("stalled \(Int(self.stall.withLock { $0 }.timeInterval * 1000))")
            exit(0)
        }
    }

    private func run() {
        if kind == .waiting { changes.wait() }
        note("began")
        switch kind {
        case .waiting:
            let operation = Operation()
            manager.beganNetworkTask(withToken: operation)
            changes.wait()
            note("ended")
            return withExtendedLifetime(operation) {}
        case .operation: hold(milliseconds: 400)
        case .droppedEarly: hold(milliseconds: 50)
        case .longTasksShortPauses: repeatTasks(of: 90, pausing: 30)
        case .shortTasksShortPauses: repeatTasks(of: 48, pausing: 4)
        case .rareTasks: repeatTasks(of: 10, pausing: 240)
        case .growth, .nesting, .chains: break
        }
        note("ended")
    }

    private func hold(milliseconds: Int) {
        measure(milliseconds) {
            let operation = Operation()
            manager.beganNetworkTask(withToken: operation)
            sleep(milliseconds)
            withExtendedLifetime(operation) {}
        }
    }

    private func repeatTasks(of length: Int, pausing pause: Int) {
        for _ in 0..<(1000 / (length + pause)) {
            measure(length) {
                let token = manager.beganNetworkTask()
                sleep(length)
                token.finish()
            }
            measure(pause) { sleep(pause) }
        }
    }

    private func sleep(_ milliseconds: Int) { Thread.sleep(forTimeInterval: Double(milliseconds) / 1000) }

    private func measure(_ milliseconds: Int, _ step: () -> Void) {
        let due = SuspendingClock().now.advanced(by: .milliseconds(milliseconds))
        step()
        let delay = due.duration(to: SuspendingClock().now)
        stall.withLock { $0 = max($0, delay) }
    }

    private func measureStalls() {
        while true { measure(5) { sleep(5) } }
    }

    private func note(_ text: String) {
        let milliseconds = Int(start.duration(to: SuspendingClock().now).timeInterval * 1000)
        FileHandle.standardOutput.write(Data("\(milliseconds) \(text)\n".utf8))
    }
}
