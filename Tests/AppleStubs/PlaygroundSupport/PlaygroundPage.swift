public final class PlaygroundPage: @unchecked Sendable {
    public static let current = PlaygroundPage()

    // `@unchecked Sendable`: a playground's page runs on the main thread, and nothing here reads this.
    public var needsIndefiniteExecution = false

    public func finishExecution() {}
}
