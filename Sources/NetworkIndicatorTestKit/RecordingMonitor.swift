public import NetworkIndicator

/// A monitor that remembers what happened, for tests of code that uses a manager.
///
/// ```swift
/// let monitor = RecordingMonitor()
/// manager.addMonitor(monitor)
/// // … the code under test …
/// #expect(monitor.log == ["began Users", "ended Users finished"])
/// #expect(monitor.misuses.isEmpty)
/// ```
public final class RecordingMonitor: NetworkTaskMonitor {
    private let heard = Lock<[NetworkTaskEvent]>([])

    /// Makes a monitor that has heard nothing yet.
    public init() {}

    /// Every event, oldest first. Any thread.
    public var events: [NetworkTaskEvent] { heard.withLock { $0 } }

    /// What the code under test did wrong.
    public var misuses: [NetworkTaskMisuse] {
        events.compactMap { if case .misuse(let misuse) = $0 { misuse } else { nil } }
    }

    /// A line for each event, with the task's label or else the type of its token: "began A", "ended A finished", "still
    /// running A", "misuse unknownToken", "visible true".
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

    public func networkIndicator(_ event: NetworkTaskEvent) { heard.withLock { $0.append(event) } }
}
