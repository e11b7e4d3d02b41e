package struct CallSite: Sendable {
    package let fileID: StaticString
    package let line: UInt

    package init(fileID: StaticString, line: UInt) { (self.fileID, self.line) = (fileID, line) }
}

struct TaskRecord: Sendable {
    let id: UInt64
    var label: String?
    var began: Timestamp
    /// This is `nil` for an increment of the activity count.
    let tokenType: (any Any.Type)?
    let origin: CallSite
}
