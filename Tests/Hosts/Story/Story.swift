import Foundation
package import NetworkIndicator

/// What a host shows of a manager in real time: it prints a line for everything that happens, and the milliseconds
/// since the start.
///
/// The main thread is the host's; the story is told from a thread of its own.
package final class Story: Sendable {
    /// A story's name, as an argument of the hosts.
    package enum Plot: String, CaseIterable, Sendable {
        /// An object is begun and dropped after 400 ms.
        case operation
        /// Tasks of 90 ms, pauses of 30 ms, for a second.
        case longTasksShortPauses
        /// Tasks of 48 ms, pauses of 4 ms, for a second.
        case shortTasksShortPauses
        /// Tasks of 10 ms, one every 250 ms, for a second.
        case rareTasks
        /// An object is dropped after 50 ms.
        case droppedEarly
    }

    package let manager = NetworkIndicatorManager()
    private let start = SuspendingClock().now
    private let plot: Plot
    private let stall = Lock<Duration>(.zero)

    package init(_ plot: Plot) {
        self.plot = plot
    }

    /// The story that the program's arguments name.
    package convenience init(arguments: ArraySlice<String>) {
        guard let plot = arguments.first.flatMap(Plot.init(rawValue:)) else {
            print("usage: HOST", Plot.allCases.map(\.rawValue).joined(separator: "|"))
            exit(2)
        }
        self.init(plot)
    }

    /// Begins to tell the story on threads of its own, and ends the program when it is over.
    package func begin() {
        manager.attach(Lamp(self))
        Thread.detachNewThread { self.measureStalls() }
        Thread.detachNewThread {
            self.tell()
            // Until the indicator has gone off, or would have had every chance to go on and off.
            Thread.sleep(forTimeInterval: 2)
            self.note("stalled \(Int(self.stall.withLock { $0 }.timeInterval * 1000))")
            exit(0)
        }
    }

    private func tell() {
        note("began")
        switch plot {
        case .operation: hold(milliseconds: 400)
        case .droppedEarly: hold(milliseconds: 50)
        case .longTasksShortPauses: repeatTasks(of: 90, pausing: 30)
        case .shortTasksShortPauses: repeatTasks(of: 48, pausing: 4)
        case .rareTasks: repeatTasks(of: 10, pausing: 240)
        }
        note("ended")
    }

    private func hold(milliseconds: Int) {
        let operation = Operation()
        manager.beganNetworkTask(withToken: operation)
        pause(milliseconds)
        withExtendedLifetime(operation) {}
    }

    private func repeatTasks(of length: Int, pausing pause: Int) {
        for _ in 0..<(1000 / (length + pause)) {
            let token = manager.beganNetworkTask()
            self.pause(length)
            token.finish()
            self.pause(pause)
        }
    }

    private func pause(_ milliseconds: Int) { Thread.sleep(forTimeInterval: Double(milliseconds) / 1000) }

    /// How late this machine wakes a thread up at worst: a run that the machine itself held up proves nothing.
    private func measureStalls() {
        while true {
            let due = SuspendingClock().now.advanced(by: .milliseconds(5))
            pause(5)
            let late = due.duration(to: SuspendingClock().now)
            stall.withLock { $0 = max($0, late) }
        }
    }

    fileprivate func note(_ text: String) {
        let milliseconds = Int(start.duration(to: SuspendingClock().now).timeInterval * 1000)
        FileHandle.standardOutput.write(Data("\(milliseconds) \(text)\n".utf8))
    }
}

/// Tells the story of the indicator.
private final class Lamp: ActivityIndicator {
    private let story: Story

    nonisolated init(_ story: Story) { self.story = story }

    func setVisible(_ isVisible: Bool) { story.note(isVisible ? "on" : "off") }
}
