import AppleStubs

public struct Logger: Sendable {
    private let prefix: String

    public init(subsystem: String, category: String) { prefix = "\(subsystem)/\(category)" }

    @_semantics("oslog.requires_constant_arguments")
    public func debug(_ message: OSLogMessage) { record("debug", message) }

    @_semantics("oslog.requires_constant_arguments")
    public func info(_ message: OSLogMessage) { record("info", message) }

    @_semantics("oslog.requires_constant_arguments")
    public func notice(_ message: OSLogMessage) { record("notice", message) }

    @_semantics("oslog.requires_constant_arguments")
    public func error(_ message: OSLogMessage) { record("error", message) }

    private func record(_ level: String, _ message: OSLogMessage) {
        Journal.record("\(prefix) \(level): \(message.text)")
    }
}
