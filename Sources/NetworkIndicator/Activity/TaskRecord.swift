/// The line of a caller, for diagnostics.
package struct CallSite: Sendable {
    package let fileID: StaticString
    package let line: UInt

    package init(fileID: StaticString, line: UInt) {
        self.fileID = fileID
        self.line = line
    }
}

/// What the manager stores about a task.
///
/// The manager stores one for each task, so it is compact. ``NetworkTaskInfo`` creates strings from it when they are
/// needed.
struct TaskRecord: Sendable {
    let id: UInt64
    var label: String?
    var began: Timestamp
    /// The type of the token; `nil` for an increment of the activity count.
    let tokenType: (any Any.Type)?
    let fileID: StaticString
    private(set) var isReportedAsLongRunning = false
    let line: UInt32

    var origin: CallSite { CallSite(fileID: fileID, line: UInt(line)) }

    /// Marks the task if it has lasted for a time. Returns it, unless it is already marked.
    mutating func markAsLongRunning(after threshold: Duration, at now: Timestamp) -> TaskRecord? {
        guard !isReportedAsLongRunning, began.duration(to: now) >= threshold else { return nil }
        isReportedAsLongRunning = true
        return self
    }
}
