/// Receives a manager's events, such as the start and the end of each task.
///
/// Attach a monitor with ``NetworkIndicatorManager/attach(monitor:)``, for example to log events or to
/// find the task that keeps the indicator on.
///
/// If your module isolates code to the main actor by default, as new app projects in Xcode 26 do, declare the
/// conforming type or extension `nonisolated`:
///
/// ```swift
/// nonisolated struct MisuseMonitor: NetworkTaskMonitor {
///     func receive(_ event: NetworkTaskEvent) {
///         if case .misuse(let misuse) = event { print(misuse) }
///     }
/// }
/// ```
public protocol NetworkTaskMonitor: Sendable {
    /// Receives an event. Each manager delivers its events one at a time, in the order in which it records them.
    ///
    /// The manager calls this method on any thread, without holding a lock. The call that caused the event may already
    /// have returned. This method may call the manager, but must not block until
    /// ``NetworkIndicatorManager/waitUntilIdle()`` returns, because `waitUntilIdle()` waits for the monitor.
    ///
    /// This method must return quickly, because calls to the manager can deliver events on the calling thread, even on
    /// the main thread. If events arrive faster than the monitor handles them, a background thread takes over the
    /// delivery, and pending events accumulate in memory.
    func receive(_ event: NetworkTaskEvent)
}

/// An event that a ``NetworkTaskMonitor`` receives.
public enum NetworkTaskEvent: Sendable, Equatable {
    /// A task began.
    case began(NetworkTaskInfo)
    /// A task ended, or the manager detected its end.
    case ended(NetworkTaskInfo, reason: NetworkTaskEnd)
    /// A task has lasted for at least ``NetworkIndicatorManager/Configuration/longRunningTaskThreshold``. A task
    /// causes one such event.
    case stillRunning(NetworkTaskInfo)
    /// A call was a programming error.
    case misuse(NetworkTaskMisuse)
    /// The indicator turned on (`true`) or off (`false`).
    case visibilityChanged(Bool)
}

/// Describes how a task ended.
public enum NetworkTaskEnd: Sendable, Hashable {
    /// The caller finished the task, released its opaque token, left its scope or decremented the activity count, or
    /// the task's condition returned `false`.
    case finished
    /// The caller's object was deallocated, or finished the task in its own `deinit`.
    case deallocated
    /// The manager was reset or deallocated.
    case reset
}

extension NetworkTaskEvent: CustomStringConvertible {
    /// A one-line description, such as `began GET http://host/path, begun at App/Sync.swift:12` or `indicator on`.
    public var description: String { text(\.description) }

    package func text(_ describe: (NetworkTaskInfo) -> String) -> String {
        switch self {
        case .began(let task): "began \(describe(task))"
        case .ended(let task, let end): "\(task.isReleasedAtOnce ? "released unseen:" : "\(end)") \(describe(task))"
        case .stillRunning(let task): "still running: \(describe(task))"
        case .misuse(let misuse): "misuse: \(misuse)"
        case .visibilityChanged(let isVisible): isVisible ? "indicator on" : "indicator off"
        }
    }
}
