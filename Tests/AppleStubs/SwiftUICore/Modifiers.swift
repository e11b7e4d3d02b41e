public import Foundation

public struct Modified: Leaf {
    private let make: @MainActor () -> String

    package init(_ make: @escaping @MainActor () -> String) { self.make = make }

    public var appearance: String { make() }
}

extension View {
    package func modified(_ modifier: @autoclosure @escaping @MainActor () -> String) -> Modified {
        Modified { "\(describe(self)).\(modifier())" }
    }

    public func opacity(_ opacity: Double) -> some View { modified("opacity(\(opacity))") }
    public func padding(_ length: Double) -> some View { modified("padding(\(length))") }
    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View {
        let sizes = [("minWidth", minWidth), ("idealWidth", idealWidth), ("minHeight", minHeight)]
        return modified(
            "frame(\(sizes.compactMap { name, size in size.map { "\(name): \($0)" } }.joined(separator: ", ")))")
    }

    public func font(_ font: Font?) -> some View { modified("font(\(font?.name ?? "nil"))") }
    public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { modified("dynamicTypeSize(\(size))") }

    public func onGeometryChange<T: Equatable & Sendable>(
        for type: T.Type, of transform: @escaping @Sendable (GeometryProxy) -> T, action: @escaping (T) -> Void
    ) -> some View {
        Modified {
            action(transform(GeometryProxy()))
            return describe(self)
        }
    }

    public func allowsHitTesting(_ enabled: Bool) -> some View { modified("allowsHitTesting(\(enabled))") }

    public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View {
        modified("animation(\(animation == nil ? "nil" : "default"), value: \(value))")
    }

    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        let content = content()
        return modified("overlay(\(alignment.name): \(describe(content)))")
    }

    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { modified("task") }
}

public struct Font: Sendable {
    let name: String
    public static let body = Font(name: "body")
}

public enum DynamicTypeSize: Sendable { case small, medium, large }

public struct GeometryProxy { public var size: CGSize { CGSize(width: 45, height: 46) } }

public struct Alignment: Sendable {
    let name: String
    public static let center = Alignment(name: "center")
    public static let top = Alignment(name: "top")
}
public struct Animation: Equatable, Sendable { public static let `default` = Animation() }
