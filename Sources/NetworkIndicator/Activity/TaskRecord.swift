package struct CallSite: Sendable {
    package let fileID: StaticString
    /// This type makes records smaller.
    private let storedLine: UInt32

    package var line: UInt { UInt(storedLine) }

    package init(fileID: StaticString, line: UInt) { (self.fileID, storedLine) = (fileID, UInt32(clamping: line)) }
}

struct TaskRecord: Sendable {
    let id: UInt64
    var label: String?
    var began: Timestamp
    /// This is `nil` for an increment of the activity count.
    let tokenType: (any Any.Type)?
    let origin: CallSite
}
