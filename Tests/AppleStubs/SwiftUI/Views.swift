public struct ProgressView<Label: View, CurrentValueLabel: View>: Leaf {
    public let appearance: String

    public init() where Label == EmptyView, CurrentValueLabel == EmptyView { appearance = "ProgressView" }

    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0)
    where Label == EmptyView, CurrentValueLabel == EmptyView {
        precondition(value.map { (0...total).contains($0) } ?? true)
        appearance = value.map { "ProgressView(\($0))" } ?? "ProgressView"
    }
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
