@MainActor @preconcurrency
public protocol ToolbarContent {
    associatedtype Body: ToolbarContent
    @ToolbarContentBuilder var body: Body { get }
}

@MainActor
public protocol ToolbarLeaf: ToolbarContent where Body == Never {
    var appearance: String { get }
}

extension ToolbarLeaf {
    public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: ToolbarContent {}

extension Optional: ToolbarContent where Wrapped: ToolbarContent {}

extension Optional: ToolbarLeaf where Wrapped: ToolbarContent {
    public var appearance: String { map { describe($0) } ?? "" }
}

@resultBuilder
public struct ToolbarContentBuilder {
    public static func buildBlock<Content: ToolbarContent>(_ content: Content) -> some ToolbarContent { content }
    public static func buildEither<First: ToolbarContent, Second: ToolbarContent>(
        first: First
    ) -> EitherToolbarContent<First, Second> { .first(first) }
    public static func buildEither<First: ToolbarContent, Second: ToolbarContent>(
        second: Second
    ) -> EitherToolbarContent<First, Second> { .second(second) }
    /// Apple's declaration is newer than the oldest systems that the package supports.
    @MainActor
    public static func buildLimitedAvailability(_ content: any ToolbarContent) -> some ToolbarContent {
        DescribedToolbarContent(appearance: "limited availability: \(describe(content))")
    }
    public static func buildIf<Content: ToolbarContent>(_ content: Content?) -> Content? { content }
}

public enum EitherToolbarContent<First: ToolbarContent, Second: ToolbarContent>: ToolbarLeaf {
    case first(First), second(Second)

    public var appearance: String {
        switch self {
        case .first(let content): describe(content)
        case .second(let content): describe(content)
        }
    }
}

private struct DescribedToolbarContent: ToolbarLeaf { let appearance: String }

public enum Visibility: Sendable { case automatic, visible, hidden }

#if iOS || macOS
@available(iOS 26, macOS 26, *)
extension ToolbarContent {
    public func sharedBackgroundVisibility(_ visibility: Visibility) -> some ToolbarContent {
        DescribedToolbarContent(appearance: "\(describe(self)).sharedBackgroundVisibility(\(visibility))")
    }
}
#endif

// `nonisolated(unsafe)`: the values never change. The type isn't `Sendable`, because some SDKs don't declare this
// conformance.
public struct ToolbarItemPlacement {
    let name: String
    public nonisolated(unsafe) static let automatic = ToolbarItemPlacement(name: "automatic")
    #if !watchOS
    public nonisolated(unsafe) static let principal = ToolbarItemPlacement(name: "principal")
    #endif
}

public struct ToolbarItem<ID, Content: View> {
    let placement: ToolbarItemPlacement
    let content: Content
}

extension ToolbarItem: ToolbarContent, ToolbarLeaf where ID == () {
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        (self.placement, self.content) = (placement, content())
    }
    public var appearance: String { "ToolbarItem(\(placement.name): \(describe(content)))" }
}

@MainActor
public func describe<Content: ToolbarContent>(_ content: Content) -> String {
    (content as? any ToolbarLeaf)?.appearance ?? describe(content.body)
}

extension View {
    public func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View {
        let content = content()
        return modified("toolbar(\(describe(content)))")
    }
}
