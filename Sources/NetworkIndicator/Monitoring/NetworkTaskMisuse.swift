/// A call that is a mistake in the program. It had no effect.
public struct NetworkTaskMisuse: Sendable, CustomStringConvertible {
    /// The kinds of misuse.
    public enum Kind: Sendable, Hashable {
        /// A token was finished that is not, or no longer, a task of the manager.
        case unknownToken
        /// A token was begun that is a task already.
        case alreadyBegan
        /// The activity count was decremented at zero.
        case countBelowZero
        /// A `NetworkTaskToken` was given to a manager that did not make it, or begun like a caller's object.
        case foreignToken
    }

    /// What was wrong.
    public let kind: Kind
    /// The file of the call, as `#fileID` provides it: `Module/File.swift`.
    public var fileID: String { origin.fileID.description }
    /// The line of the call.
    public var line: UInt { origin.line }

    private let origin: CallSite
    private let tokenType: (any Any.Type)?

    init(_ kind: Kind, _ tokenType: (any Any.Type)?, _ origin: CallSite) {
        self.kind = kind
        self.tokenType = tokenType
        self.origin = origin
    }

    /// The place of the call, what was wrong, and what is right.
    public var description: String {
        let token = tokenType.map { String(describing: $0) } ?? "token"
        let text =
            switch kind {
            case .unknownToken:
                "finished a \(token) that is no task of this manager. Begin it first, and finish it once."
            case .alreadyBegan:
                "began a \(token) that is a task already. A token stands for one task; use another token for another."
            case .countBelowZero:
                "decremented the activity count at zero. Each decrement needs an increment before it."
            case .foreignToken:
                "used a NetworkTaskToken that another manager made, or began one. Finish it with its own manager."
            }
        return "\(fileID):\(line): \(text)"
    }
}
