public final class PlaygroundPage {
    // `nonisolated(unsafe)`: Apple's module isn't compiled in Swift 6 mode, so the compiler doesn't check this
    // property.
    public nonisolated(unsafe) static let current = PlaygroundPage()

    public var needsIndefiniteExecution = false

    public func finishExecution() -> Never { fatalError("Xcode ends the page here.") }
}
