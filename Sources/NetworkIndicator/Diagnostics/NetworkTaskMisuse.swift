/// A call that cannot mean what it says. It changed nothing.
public struct NetworkTaskMisuse: Sendable, CustomStringConvertible {
    /// What kinds of misuse there are.
    public enum Kind: Sendable, Hashable {
        /// A token was finished that is not, or no longer, a task of this manager.
        case unknownToken
        /// A token was begun that is a task already.
        case alreadyBegan
        /// The activity count was decremented at zero.
        case countBelowZero
        /// A `NetworkTaskToken` was given to another manager than its own, or begun as if it were a caller's object.
        case foreignToken
    }

    /// What was wrong.
    public let kind: Kind
    /// The file of the call, as `#fileID` has it: `Module/File.swift`.
    public var fileID: String { file.description }
    /// The line of the call.
    public let line: UInt

    private let file: StaticString
    private let type: (any Any.Type)?

    init(_ kind: Kind, type: (any Any.Type)? = nil, fileID: StaticString, line: UInt) {
        self.kind = kind
        self.type = type
        self.file = fileID
        self.line = line
    }

    /// What was wrong, where, and what would have been right.
    public var description: String {
        let token = type.map { String(describing: $0) } ?? "token"
        let text =
            switch kind {
            case .unknownToken:
                "finished a \(token) that is not a task here: begin it first, and finish it once"
            case .alreadyBegan:
                "began a \(token) that is a task already: a token is one task however often it begins; for more, use "
                    + "more tokens"
            case .countBelowZero:
                "decremented the activity count at zero: each decrement needs an increment of its own before it"
            case .foreignToken:
                "a NetworkTaskToken belongs to the manager that made it, and has begun already: finish it there"
            }
        return "\(fileID):\(line): \(text)"
    }
}
