/// Describes a call that is a programming error.
///
/// Such a call changes no task, with one exception: a call of the kind ``Kind/alreadyBegan`` changes the token's task.
public struct NetworkTaskMisuse: Sendable, Equatable, CustomStringConvertible {
    /// The kinds of misuse.
    public enum Kind: Sendable, Hashable {
        /// A call tried to finish a token that has no task in the manager, for example because the token's task has
        /// already ended.
        case unknownToken
        /// A call began a task with a token that already has a task. The call replaces the task's label and condition.
        case alreadyBegan
        /// A call tried to decrement the activity count below zero.
        case countBelowZero
        /// A call tried to begin a task with a `NetworkTaskToken`, or to finish a `NetworkTaskToken` with a manager
        /// that didn't create it.
        case foreignToken
    }

    /// The kind of misuse.
    public let kind: Kind
    /// The file of the call, as `#fileID` provides it: `Module/File.swift`.
    public let fileID: String
    /// The line of the call.
    public let line: UInt
    private let tokenType: String?

    init(_ kind: Kind, _ tokenType: (any Any.Type)?, _ origin: CallSite) {
        (self.kind, fileID, line) = (kind, origin.fileID.description, origin.line)
        self.tokenType = tokenType.map { "\($0)" }
    }

    /// A description that states the location of the call, the error, and the correct use.
    public var description: String {
        let token = tokenType.map { "token (\($0))" } ?? "token"
        let text =
            switch kind {
            case .unknownToken:
                "finished a \(token) that is no task of this manager. Begin it first, and finish it once."
            case .alreadyBegan:
                "began a \(token) that is already a task. A token stands for one task; a second task needs its own."
            case .countBelowZero:
                "decremented the activity count at zero. Each decrement needs an increment before it."
            case .foreignToken:
                "began a task with a NetworkTaskToken, or passed it to another manager. Finish it with its own manager."
            }
        return "\(fileID):\(line): \(text)"
    }
}
