public final class PlaygroundPage {
    // `unsafe`: Apple's module isn't in Swift 6 mode, so nothing checks its global variables.
    public nonisolated(unsafe) static let current = PlaygroundPage()

    public var needsIndefiniteExecution = false

    /// Posts a notification to Xcode, which ends the process. Without Xcode, Apple's function sleeps for ten minutes.
    public func finishExecution() -> Never { fatalError("Xcode ends the page here.") }
}
