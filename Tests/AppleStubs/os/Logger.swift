import AppleStubs

public struct Logger: Sendable {
    private let prefix: String

    public init(subsystem: String, category: String) { prefix = "\(subsystem)/\(category)" }

    public func debug(_ message: OSLogMessage) { record("debug", message) }
    public func info(_ message: OSLogMessage) { record("info", message) }
    public func notice(_ message: OSLogMessage) { record("notice", message) }
    public func error(_ message: OSLogMessage) { record("error", message) }

    private func record(_ level: String, _ message: OSLogMessage) {
        Journal.record("\(prefix) \(level): \(message.text)")
    }
}
