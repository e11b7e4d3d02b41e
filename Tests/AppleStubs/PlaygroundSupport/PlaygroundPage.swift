public final class PlaygroundPage: @unchecked Sendable {
    public static let current = PlaygroundPage()

    // `@unchecked Sendable`: a page of a playground runs on the main thread, and the stub doesn't read this.
    public var needsIndefiniteExecution = false

    public func finishExecution() {}
}
