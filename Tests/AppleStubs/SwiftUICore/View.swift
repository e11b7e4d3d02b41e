@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

@MainActor
public protocol Leaf: View where Body == Never {
    var appearance: String { get }
}

extension Leaf {
    public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: View {
    public var body: Never { fatalError("Never has no body") }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("An optional view has no body") }
}

extension Optional: Leaf where Wrapped: View {
    public var appearance: String { map { describe($0) } ?? "" }
}

@resultBuilder
public struct ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    @MainActor
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView {
        var appearances: [String] = []
        for child in repeat each content { appearances.append(describe(child)) }
        return TupleView(appearance: appearances.joined(separator: ", "))
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> Either<First, Second> { .first(first) }
    public static func buildEither<First: View, Second: View>(second: Second) -> Either<First, Second> {
        .second(second)
    }
}

public struct TupleView: Leaf { public let appearance: String }

public enum Either<First: View, Second: View>: Leaf {
    case first(First), second(Second)

    public var appearance: String {
        switch self {
        case .first(let view): describe(view)
        case .second(let view): describe(view)
        }
    }
}

@MainActor
public func describe(_ view: some View) -> String {
    (view as? any Leaf)?.appearance ?? describe(view.body)
}
