import NetworkIndicator

extension NetworkTaskEvent {
    /// The raw values are those of `OSLogType`.
    enum LogLevel: UInt8 {
        case notice = 0
        case info = 1
        case debug = 2
        case error = 16
    }

    var logLevel: LogLevel {
        switch self {
        case .began, .ended: .debug
        case .stillRunning: .notice
        case .misuse: .error
        case .visibilityChanged: .info
        }
    }

    /// This text omits the label, because labels may contain private data.
    var publicText: String { text(\.place) }

    var label: String? {
        switch self {
        case .began(let task), .ended(let task, _), .stillRunning(let task): task.label
        case .misuse, .visibilityChanged: nil
        }
    }
}

extension NetworkTaskInfo {
    var place: String { "task \(id) (\(tokenType)) from \(fileID):\(line)" }
}
