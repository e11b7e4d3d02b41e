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
