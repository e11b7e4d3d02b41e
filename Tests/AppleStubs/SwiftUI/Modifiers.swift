public struct Modified: Leaf { public let appearance: String }

public struct Alignment: Sendable {
    let name: String
    public static let center = Alignment(name: "center")
    public static let top = Alignment(name: "top")
}
public struct Animation: Equatable, Sendable { public static let `default` = Animation() }
public enum ControlSize: Sendable { case mini, small, regular, large }

extension View {
    private func modified(_ modifier: String) -> Modified { Modified(appearance: "\(describe(self)).\(modifier)") }

    public func opacity(_ opacity: Double) -> some View { modified("opacity(\(opacity))") }
    public func padding(_ length: Double) -> some View { modified("padding(\(length))") }
    #if !tvOS
    // Some SDKs declare this for tvOS, others don't.
    public func controlSize(_ controlSize: ControlSize) -> some View { modified("controlSize(\(controlSize))") }
    #endif
    public func allowsHitTesting(_ enabled: Bool) -> some View { modified("allowsHitTesting(\(enabled))") }
    public func accessibilityLabel(_ label: Text) -> some View { modified("accessibilityLabel(\(label.string))") }
    public func accessibilityHidden(_ hidden: Bool) -> some View { modified("accessibilityHidden(\(hidden))") }

    public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View {
        modified("animation(\(animation == nil ? "nil" : "default"), value: \(value))")
    }

    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        modified("overlay(\(alignment.name): \(describe(content())))")
    }

    public func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View {
        modified("toolbar(\(content().appearance))")
    }

    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { modified("task") }
}

@MainActor
public protocol ToolbarContent { var appearance: String { get } }

@resultBuilder
public struct ToolbarContentBuilder {
    public static func buildBlock<Content: ToolbarContent>(_ content: Content) -> Content { content }
}

public struct ToolbarItem<Content: View>: ToolbarContent {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var appearance: String { "ToolbarItem(\(describe(content)))" }
}
