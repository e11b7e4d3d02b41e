public import NetworkIndicator

/// A monitor that records the events that it receives, for tests of code that uses a manager.
///
/// ```swift
/// let monitor = RecordingMonitor()
/// manager.attach(monitor: monitor)
/// // … the code under test …
/// #expect(monitor.log == ["began Users", "ended Users finished"])
/// #expect(monitor.misuses.isEmpty)
/// ```
public final class RecordingMonitor: NetworkTaskMonitor {
    private let recorded = Lock<[NetworkTaskEvent]>([])

    /// Creates a monitor that has recorded no events.
    public init() {}

    /// All recorded events, oldest first.
    public var events: [NetworkTaskEvent] { recorded.withLock { $0 } }

    /// All recorded misuses, oldest first.
    public var misuses: [NetworkTaskMisuse] {
        events.compactMap { if case .misuse(let misuse) = $0 { misuse } else { nil } }
    }

    /// A line for each event, oldest first, such as "began A", "ended A finished", "still running A", "misuse
    /// unknownToken" and "visible true". A line about a task names the task by its label, or by the type of its token
    /// if the task has no label.
    public var log: [String] {
        events.map { event in
            switch event {
            case .began(let task): "began \(task.label ?? task.tokenType)"
            case .ended(let task, let end): "ended \(task.label ?? task.tokenType) \(end)"
            case .stillRunning(let task): "still running \(task.label ?? task.tokenType)"
            case .misuse(let misuse): "misuse \(misuse.kind)"
            case .visibilityChanged(let isVisible): "visible \(isVisible)"
            }
        }
    }

    public func receive(_ event: NetworkTaskEvent) { recorded.withLock { $0.append(event) } }
}
