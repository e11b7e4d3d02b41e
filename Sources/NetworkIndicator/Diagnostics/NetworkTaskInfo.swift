/// What is known of a task: who began it, where and when.
public struct NetworkTaskInfo: Sendable, Identifiable {
    /// The label given at the task's begin.
    public let label: String?
    /// When the task began, on the clock of the manager's scheduler.
    ///
    /// On Linux this may be some milliseconds early for a task with an opaque token or a scope, if it began while others were under
    /// way and no monitor listened: then it is the kernel's last tick, since the exact time would take as long as both
    /// locks of a begin and a finish. It never lies before the app became busy.
    public var began: SuspendingClock.Instant { beganAt.instant }
    /// Unique among the tasks of a manager, and never used again.
    public let id: UInt64

    // Compact, because there is one of these for each task: names become strings only when somebody asks.
    let beganAt: Timestamp
    private let type: (any Any.Type)?
    private let file: StaticString
    /// Whether monitors have heard that this task is still running.
    private(set) var isReportedAsLongRunning = false
    private let lineNumber: UInt32

    init(
        id: UInt64, label: String?, type: (any Any.Type)?, began: Timestamp, fileID: StaticString,
        line: UInt
    ) {
        self.id = id
        self.label = label
        self.type = type
        self.beganAt = began
        self.file = fileID
        self.lineNumber = UInt32(clamping: line)
    }

    /// Marks a task that began at `limit` or before as reported; false where it is none, or is marked already.
    mutating func markAsLongRunning(before limit: Timestamp?) -> Bool {
        guard let limit, beganAt <= limit, !isReportedAsLongRunning else { return false }
        isReportedAsLongRunning = true
        return true
    }

    /// The type of the token, or `"activity count"` for a counted task.
    public var tokenType: String { type.map { String(describing: $0) } ?? "activity count" }

    /// The file in which the task began, as `#fileID` has it: `Module/File.swift`.
    public var fileID: String { file.description }

    /// The line in which the task began.
    public var line: UInt { UInt(lineNumber) }
}

extension NetworkTaskInfo: CustomStringConvertible {
    /// One line: the label, the type of the token, and where the task began.
    public var description: String {
        let name = label.map { "\"\($0)\" " } ?? ""
        return "\(name)(\(tokenType), begun at \(fileID):\(line))"
    }
}
