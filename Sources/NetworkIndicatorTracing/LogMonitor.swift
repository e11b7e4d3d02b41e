#if canImport(os)
public import NetworkIndicator
public import os

/// Writes each event to the unified log. To read the log, use the Console app or the `log` command.
///
/// The monitor logs the start and end of each task at the `debug` level, and visibility changes at the `info` level. It
/// logs long-running tasks at the `notice` level, and misuse at the `error` level. By default, the system stores
/// `notice` and `error` messages on disk, keeps `info` messages in memory, and doesn't store `debug` messages.
///
/// ```swift
/// NetworkIndicatorManager.shared.attach(monitor: LogMonitor())
/// ```
///
/// Labels are `private`, so the log redacts them by default.
public struct LogMonitor: NetworkTaskMonitor {
    private let logger: Logger

    /// Creates a monitor.
    ///
    /// - Parameter logger: The logger to write to. The default logger has the subsystem `NetworkIndicator` and the
    ///   category `Tasks`.
    public init(_ logger: Logger = Logger(subsystem: "NetworkIndicator", category: "Tasks")) {
        self.logger = logger
    }

    public func receive(_ event: NetworkTaskEvent) {
        let level = OSLogType(rawValue: event.logLevel.rawValue)
        if let label = event.label {
            logger.log(level: level, "\(event.publicText, privacy: .public) \(label, privacy: .private)")
        } else {
            logger.log(level: level, "\(event.publicText, privacy: .public)")
        }
    }
}
#endif
