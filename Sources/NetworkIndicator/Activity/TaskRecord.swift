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
    let began: Timestamp
    /// The type of the token; `nil` for an increment of the activity count.
    let tokenType: (any Any.Type)?
    let fileID: StaticString
    private(set) var isReportedAsLongRunning = false
    let line: UInt32

    var origin: CallSite { CallSite(fileID: fileID, line: UInt(line)) }

    /// Marks the task, unless it is already marked.
    ///
    /// - Returns: Whether this call marked the task.
    mutating func markAsLongRunning() -> Bool {
        defer { isReportedAsLongRunning = true }
        return !isReportedAsLongRunning
    }
}
