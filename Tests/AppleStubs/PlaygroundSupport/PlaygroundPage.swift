public final class PlaygroundPage {
    // `nonisolated(unsafe)`: this module is used only to type-check playground pages, and never runs.
    public nonisolated(unsafe) static let current = PlaygroundPage()

    public var needsIndefiniteExecution = false

    public func finishExecution() -> Never { fatalError("Xcode ends the page here.") }
}
