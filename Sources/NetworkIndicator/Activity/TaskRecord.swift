package struct CallSite: Sendable {
    package let fileID: StaticString
    /// A `UInt` would make each task's record larger by 8 bytes.
    private let shortLine: UInt32

    package init(fileID: StaticString, line: UInt) { (self.fileID, shortLine) = (fileID, UInt32(clamping: line)) }

    package var line: UInt { UInt(shortLine) }
}

struct TaskRecord: Sendable {
    let id: UInt64
    var label: String?
    var began: Timestamp
    /// This is `nil` for an increment of the activity count.
    let tokenType: (any Any.Type)?
    let origin: CallSite
}
