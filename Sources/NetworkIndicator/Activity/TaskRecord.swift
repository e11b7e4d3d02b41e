/// The source location of a call, for diagnostics.
package struct CallSite: Sendable {
    package let fileID: StaticString
    package let line: UInt

    package init(fileID: StaticString, line: UInt) {
        self.fileID = fileID
        self.line = line
    }
}

/// The properties of a task.
///
/// The manager stores a record for each task, so records are compact. ``NetworkTaskInfo`` formats a record as text only
/// when a caller needs the text.
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

    /// Marks the task if it has lasted for at least `threshold`. Returns the record if this call marked it.
    mutating func markAsLongRunning(after threshold: Duration, at now: Timestamp) -> TaskRecord? {
        guard !isReportedAsLongRunning, began.duration(to: now) >= threshold else { return nil }
        isReportedAsLongRunning = true
        return self
    }
}
