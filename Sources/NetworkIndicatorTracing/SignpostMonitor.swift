#if canImport(os)
public import NetworkIndicator
public import os

/// Shows each task, and each period during which the indicator is on, as an interval in Instruments.
///
/// ```swift
/// NetworkIndicatorManager.shared.attach(monitor: SignpostMonitor())
/// ```
///
/// The interval of a task shows the task's `fileID` and `line`. Labels are `private`, as in ``LogMonitor``.
///
/// Record with the Logging template, and look for “Network task” and “Network indicator” under the signposter's
/// subsystem. Use a separate monitor for each manager, because tasks of different managers can have the same
/// identifier.
public struct SignpostMonitor: NetworkTaskMonitor {
    private let signposter: OSSignposter
    /// The upper half of this value is random, so that intervals of different monitors are unlikely to have the same
    /// identifier.
    private let base: UInt64

    /// Creates a monitor.
    ///
    /// - Parameter signposter: The signposter to write to. The default signposter has the subsystem `NetworkIndicator`
    ///   and the category `Tasks`.
    public init(_ signposter: OSSignposter = OSSignposter(subsystem: "NetworkIndicator", category: "Tasks")) {
        self.signposter = signposter
        // While signposts are disabled, `makeSignpostID()` returns the null identifier. The system drops intervals with
        // that identifier, even if signposts are enabled later.
        base = UInt64.random(in: 1..<1 << 31) << 32
    }

    public func receive(_ event: NetworkTaskEvent) {
        switch event {
        case .began(let task):
            _ = signposter.beginInterval(
                "Network task", id: id(of: task),
                "\(task.place, privacy: .public) \(task.label ?? "", privacy: .private)")
        case .ended(let task, let end):
            signposter.endInterval(
                "Network task", .beginState(id: id(of: task)), "\(String(describing: end), privacy: .public)")
        case .stillRunning(let task):
            signposter.emitEvent(
                "Still running", id: id(of: task),
                "\(task.place, privacy: .public) \(task.label ?? "", privacy: .private)")
        case .misuse(let misuse):
            signposter.emitEvent("Misuse", id: OSSignpostID(base), "\(misuse.description, privacy: .public)")
        case .visibilityChanged(true):
            _ = signposter.beginInterval("Network indicator", id: OSSignpostID(base))
        case .visibilityChanged(false):
            signposter.endInterval("Network indicator", .beginState(id: OSSignpostID(base)))
        }
    }

    private func id(of task: NetworkTaskInfo) -> OSSignpostID { OSSignpostID(base &+ task.id) }
}
#endif
