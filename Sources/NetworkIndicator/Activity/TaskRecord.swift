package struct CallSite: Sendable {
    package let fileID: StaticString
    package let line: UInt

    package init(fileID: StaticString, line: UInt) {
        self.fileID = fileID
        self.line = line
    }
}

/// The properties are ordered to minimize padding, because the manager stores a record for each task.
struct TaskRecord: Sendable {
    let id: UInt64
    var label: String?
    var began: Timestamp
    /// This is `nil` for an increment of the activity count.
    let tokenType: (any Any.Type)?
    let fileID: StaticString
    private(set) var isReportedAsLongRunning = false
    let line: UInt32

    var origin: CallSite { CallSite(fileID: fileID, line: UInt(line)) }

    var unreportedSince: Timestamp? { isReportedAsLongRunning ? nil : began }

    mutating func markAsLongRunning(after threshold: Duration, at now: Timestamp) -> TaskRecord? {
        guard !isReportedAsLongRunning, began.duration(to: now) >= threshold else { return nil }
        isReportedAsLongRunning = true
        return self
    }
}
