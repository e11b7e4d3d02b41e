import NetworkIndicator

// swift-log 1
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
        LoggingSystem.factory?(label).log(
            level: .info, message: message, metadata: metadata, source: "", file: #fileID, function: #function,
            line: #line)
    }
}
protocol LogHandler: Sendable {
    func log(
        level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String, file: String,
        function: String, line: UInt)
    subscript(metadataKey key: String) -> Logger.Metadata.Value? { get set }
    var metadata: Logger.Metadata { get set }
    var logLevel: Logger.Level { get set }
}
enum LoggingSystem {
    nonisolated(unsafe) static var factory: ((String) -> any LogHandler)?
    static func bootstrap(_ factory: @escaping (String) -> any LogHandler) { self.factory = factory }
}
