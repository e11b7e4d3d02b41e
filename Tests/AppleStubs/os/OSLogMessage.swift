public struct OSLogPrivacy: Sendable {
    let name: String
    public static let auto = OSLogPrivacy(name: "auto")
    public static let `public` = OSLogPrivacy(name: "public")
    public static let `private` = OSLogPrivacy(name: "private")
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(
        _ value: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto
    ) {
        // The unified log redacts strings unless they are public.
        text += privacy.name == "public" ? value() : "<private>"
    }

    public mutating func appendInterpolation(
        _ value: @autoclosure @escaping () -> UInt64, privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.name == "private" ? "<private>" : "\(value())"
    }
}

public struct OSLogMessage: ExpressibleByStringInterpolation {
    let text: String
    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}
