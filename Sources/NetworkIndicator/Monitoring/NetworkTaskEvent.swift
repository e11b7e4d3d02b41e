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
