public struct Text: Leaf, Sendable {
    package let string: String
    public init(_ key: LocalizedStringKey) { string = key.key }
    public init(verbatim content: String) { string = content }
    @_disfavoredOverload public init<S: StringProtocol>(_ content: S) { string = String(content) }
    public var appearance: String { "Text(\(string))" }
}

public struct LocalizedStringKey: ExpressibleByStringInterpolation {
    let key: String
    public init(stringLiteral value: String) { key = value }
}

public struct Image: Leaf {
    let name: String
    public init(systemName: String) { name = systemName }
    public var appearance: String { "Image(\(name))" }
}

public struct EmptyView: Leaf {
    public init() {}
    public var appearance: String { "" }
}

public struct Group<Content: View>: Leaf {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var appearance: String { "Group(\(describe(content)))" }
}

public struct HStack<Content: View>: Leaf {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var appearance: String { "HStack(\(describe(content)))" }
}
