/// Receives the events of a manager's tasks and of its indicator.
///
/// Attach a monitor with ``NetworkIndicatorManager/attach(_:)-(NetworkTaskMonitor)``, for example to log events or to find the task that
/// keeps the indicator on.
///
/// Events arrive on any thread. In a module whose code is isolated to the main actor by default, as in new projects of
/// Xcode 26, declare the type or the extension that conforms `nonisolated`:
///
/// ```swift
/// nonisolated struct MisuseMonitor: NetworkTaskMonitor {
///     func networkIndicator(_ event: NetworkTaskEvent) {
///         if case .misuse(let misuse) = event { print(misuse) }
///     }
/// }
/// ```
public protocol NetworkTaskMonitor: Sendable {
    /// Receives an event. Events arrive one at a time, in the order in which they happened.
    ///
    /// The manager calls this on any thread, outside every lock. The call that caused the event may already have
    /// returned. A monitor may call the manager, but must not wait for ``NetworkIndicatorManager/waitUntilIdle()``, which
    /// waits for the monitor.
    ///
    /// Return quickly: any call of the manager may deliver events, even on the main thread. If events arrive faster
    /// than the monitor returns, a background thread takes over, and pending events accumulate in memory.
    func networkIndicator(_ event: NetworkTaskEvent)
}

/// An event that a ``NetworkTaskMonitor`` receives.
public enum NetworkTaskEvent: Sendable {
    /// A task began.
    case began(NetworkTaskInfo)
    /// A task ended, or the manager detected its end.
    case ended(NetworkTaskInfo, NetworkTaskEnd)
    /// A task has lasted longer than `longRunningTaskThreshold`. Each task causes at most one such event.
    case stillRunning(NetworkTaskInfo)
    /// A call was a programming error, and had no effect.
    case misuse(NetworkTaskMisuse)
    /// The indicator went on or off.
    case visibilityChanged(Bool)
}

/// How a task ended.
public enum NetworkTaskEnd: Sendable, Hashable {
    /// The caller finished it, its opaque token was released, its scope ended, or its condition was false.
    case finished
    /// The manager found the caller's object deallocated.
    case deallocated
    /// The manager was reset.
    case reset
}

extension NetworkTaskEvent: CustomStringConvertible {
    /// One line, such as `began GET http://host/path, begun at App/Sync.swift:12` or `indicator on`.
    public var description: String {
        switch self {
        case .began(let task): "began \(task)"
        case .ended(let task, let end): "\(end) \(task)"
        case .stillRunning(let task): "still running: \(task)"
        case .misuse(let misuse): "misuse: \(misuse)"
        case .visibilityChanged(let isVisible): isVisible ? "indicator on" : "indicator off"
        }
    }
}

/// An event for the monitors that were attached when it happened.
struct MonitorEvent: Sendable {
    let event: NetworkTaskEvent
    let monitors: [NetworkIndicatorManager.Attachment]

    /// Notifies the monitors, outside every lock.
    func deliver() {
        for case .monitor(let monitor) in monitors.map(\.content) { monitor.networkIndicator(event) }
    }
}
