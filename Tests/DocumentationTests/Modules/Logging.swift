// Stubs of swift-log 1.11
struct Logger {
    enum Level: String { case info }
    typealias Message = String
    typealias Metadata = [String: MetadataValue]
    enum MetadataValue: ExpressibleByStringLiteral, CustomStringConvertible {
        case string(String)
        init(stringLiteral value: String) { self = .string(value) }
        var description: String {
            switch self {
            case .string(let text): text
            }
        }
    }

    let label: String
    func info(_ message: Message, metadata: Metadata? = nil) {
        LoggingSystem.factory?(label).log(event: LogEvent(level: .info, message: message, metadata: metadata))
    }
}
struct LogEvent {
    var level: Logger.Level
    var message: Logger.Message
    var metadata: Logger.Metadata?
}
protocol LogHandler: Sendable {
    func log(event: LogEvent)
    subscript(metadataKey key: String) -> Logger.Metadata.Value? { get set }
    var metadata: Logger.Metadata { get set }
    var logLevel: Logger.Level { get set }
}
enum LoggingSystem {
    nonisolated(unsafe) static var factory: ((String) -> any LogHandler)?
    static func bootstrap(_ factory: @escaping (String) -> any LogHandler) { self.factory = factory }
}
