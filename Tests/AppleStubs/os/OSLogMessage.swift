// As in Apple's module, the `@_semantics` attributes make the compiler reject messages that aren't string literals or
// interpolations, and privacy options that aren't constants.

public struct OSLogPrivacy: Sendable {
    let name: String
    @_semantics("constant_evaluable") public static var auto: OSLogPrivacy { OSLogPrivacy(name: "auto") }
    @_semantics("constant_evaluable") public static var `public`: OSLogPrivacy { OSLogPrivacy(name: "public") }
    @_semantics("constant_evaluable") public static var `private`: OSLogPrivacy { OSLogPrivacy(name: "private") }
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { text += literal }

    @_semantics("oslog.requires_constant_arguments")
    public mutating func appendInterpolation(
        _ value: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.name == "public" ? value() : "<private>"
    }

    @_semantics("oslog.requires_constant_arguments")
    public mutating func appendInterpolation(
        _ value: @autoclosure @escaping () -> UInt64, privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.name == "private" ? "<private>" : "\(value())"
    }
}

@_semantics("oslog.message.type")
public struct OSLogMessage: ExpressibleByStringInterpolation {
    let text: String

    public init(stringLiteral value: String) { text = value }

    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}
