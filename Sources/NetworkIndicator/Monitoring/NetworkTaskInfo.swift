import Foundation

/// Describes a task: its label, the type of its token, and where and when the task began.
public struct NetworkTaskInfo: Sendable, Identifiable, Equatable {
    let record: TaskRecord
    var asOf: Timestamp?
    /// Whether the caller's object or the opaque token was released before the first turn after the begin. In
    /// most cases, it is a boxed value, or a token that the caller has discarded.
    var isReleasedAtOnce = false

    /// An identifier that is unique among the tasks of a manager and never reused. Later tasks have higher identifiers.
    public var id: UInt64 { record.id }

    /// The task's label, if any. A call that begins the task again replaces the label.
    public var label: String? { labelParts?.first }

    /// The label and, after ``separator``, the request of a `tracked…` call. A record with two strings would be larger.
    private var labelParts: [String]? {
        record.label?.split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
    }

    package static let separator: Character = "\u{1F}"

    /// The name of the token's type; `"scope"` for a task of `withNetworkTask`, and `"activity count"` for a task of
    /// `incrementActivityCount`.
    public var tokenType: String {
        switch record.tokenType {
        case nil: "activity count"
        case let type? where type == Scope.self: "scope"
        case let type?: String(describing: type)
        }
    }

    /// The file of the call that began the task or set up its tracking, as `#fileID` provides it: `Module/File.swift`.
    public var fileID: String { record.origin.fileID.description }

    /// The line of the call that began the task or set up its tracking.
    public var line: UInt { record.origin.line }

    /// The time at which the task began, on the clock of the manager's scheduler.
    ///
    /// The default scheduler's clock stops while the device is asleep, but not while the system has suspended the
    /// process.
    public var began: SuspendingClock.Instant { record.began.instant }

    /// The task's age when the manager created this value: in ``NetworkIndicatorManager/activeTasks``, in errors, and
    /// in events that report that the task is still running. In other events, this property is `nil`.
    ///
    /// The manager clamps this value to the range zero to 100 years.
    public var age: Duration? { asOf.map { ($0 - record.began).clamped(to: .zero ... .longest) } }

    /// Compares the properties except ``age``. The times at which the manager created the values may differ.
    public static func == (left: Self, right: Self) -> Bool {
        (left.id, left.label, left.tokenType, left.fileID, left.line, left.record.began)
            == (right.id, right.label, right.tokenType, right.fileID, right.line, right.record.began)
    }
}

enum Scope {}

extension NetworkTaskInfo: CustomStringConvertible {
    /// A one-line description, such as `GET http://host/path, 73 s, URLSessionDataTask, begun at App/Sync.swift:12`.
    ///
    /// The description states the label if there is one, the task's ``age`` if it is known, ``tokenType`` or the
    /// request of a call such as `trackedData`, and where the task began. Line breaks and tabs in the label become
    /// spaces, and other control characters are removed.
    public var description: String {
        description(lasting: age.map { $0.text(fractionDigits: $0 < .seconds(10) ? 1 : 0) })
    }

    func description(lasting duration: String?) -> String {
        let kind = label.map { _ in labelParts?.dropFirst().first ?? tokenType }
        let parts = [label ?? tokenType, duration, kind, "begun at \(fileID):\(line)"]
        return parts.compactMap(\.self).joined(separator: ", ").withoutControlCharacters
    }
}

extension Duration {
    func text(fractionDigits: Int) -> String { String(format: "%.\(fractionDigits)f s", timeInterval) }
}

extension String {
    var withoutControlCharacters: String {
        let line = split(omittingEmptySubsequences: false) { $0.isNewline || $0 == "\t" }.joined(separator: " ")
        return String(String.UnicodeScalarView(line.unicodeScalars.filter(\.isPrintable)))
    }
}

extension Unicode.Scalar {
    /// Whether this scalar is harmless in a terminal and in a file name: no control character, which could move the
    /// cursor; no separator of lines; and no character that reorders the surrounding text.
    package var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: !properties.isBidiControl
        }
    }
}
