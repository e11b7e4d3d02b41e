public struct Text: Leaf, Sendable {
    let string: String
    public init(_ key: LocalizedStringKey) { string = key.key }
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

public struct ProgressView: Leaf {
    public init() {}
    public var appearance: String { "ProgressView" }
}

public struct Group<Content: View>: Leaf {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var appearance: String { "Group(\(describe(content)))" }
}

public struct NavigationStack<Content: View>: Leaf {
    let content: Content
    public init(@ViewBuilder root: () -> Content) { content = root() }
    public var appearance: String { "NavigationStack(\(describe(content)))" }
}

public struct List<Content: View>: Leaf {
    let rows: [Content]
    public init<Data: RandomAccessCollection>(_ data: Data, @ViewBuilder rowContent: (Data.Element) -> Content)
    where Data.Element: Identifiable {
        rows = data.map(rowContent)
    }
    public var appearance: String { "List(\(rows.map { describe($0) }.joined(separator: ", ")))" }
}
