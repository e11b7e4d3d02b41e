/// Receives the events of a manager's tasks and of its indicator.
///
/// Attach a monitor with ``NetworkIndicatorManager/addMonitor(_:)``, for example to log events or to find the task that
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

extension NetworkTaskEnd: CustomStringConvertible {
    /// `finished`, `deallocated` or `reset`.
    public var description: String {
        switch self {
        case .finished: "finished"
        case .deallocated: "deallocated"
        case .reset: "reset"
        }
    }
}

/// A call that is a programming error. It had no effect.
public struct NetworkTaskMisuse: Sendable, CustomStringConvertible {
    /// The kinds of misuse.
    public enum Kind: Sendable, Hashable {
        /// A call finished a token that is not a task of the manager, or no longer is.
        case unknownToken
        /// A call began a token that is already a task.
        case alreadyBegan
        /// A call decremented the activity count at zero.
        case countBelowZero
        /// A call passed a `NetworkTaskToken` to a manager that did not create it, or began it like a caller's object.
        case foreignToken
    }

    /// What was wrong.
    public let kind: Kind
    /// The file of the call, as `#fileID` provides it: `Module/File.swift`.
    public var fileID: String { origin.fileID.description }
    /// The line of the call.
    public var line: UInt { origin.line }

    private let origin: CallSite
    private let tokenType: (any Any.Type)?

    init(_ kind: Kind, _ tokenType: (any Any.Type)?, _ origin: CallSite) {
        self.kind = kind
        self.tokenType = tokenType
        self.origin = origin
    }

    /// The place of the call, what was wrong, and what is right.
    public var description: String {
        let token = tokenType.map { String(describing: $0) } ?? "token"
        let text =
            switch kind {
            case .unknownToken:
                "finished a \(token) that is no task of this manager. Begin it first, and finish it once."
            case .alreadyBegan:
                "began a \(token) that is already a task. A token stands for one task; a second task needs its own."
            case .countBelowZero:
                "decremented the activity count at zero. Each decrement needs an increment before it."
            case .foreignToken:
                "passed a NetworkTaskToken to a begin, or to another manager. Finish it with its own manager."
            }
        return "\(fileID):\(line): \(text)"
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
