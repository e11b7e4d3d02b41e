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
        switch event {
        case .began(let task):
            logger.debug("began \(task.place, privacy: .public) \(task.label ?? "", privacy: .private)")
        case .ended(let task, let end):
            logger.debug(
                """
                \(String(describing: end), privacy: .public) \(task.place, privacy: .public) \
                \(task.label ?? "", privacy: .private)
                """)
        case .stillRunning(let task):
            logger.notice("still running \(task.place, privacy: .public) \(task.label ?? "", privacy: .private)")
        case .misuse(let misuse):
            logger.error("\(misuse.description, privacy: .public)")
        case .visibilityChanged(let isVisible):
            logger.info("indicator \(isVisible ? "on" : "off", privacy: .public)")
        }
    }
}

extension NetworkTaskInfo {
    /// This text omits the label, because labels may contain private data.
    var place: String { "task \(id) (\(tokenType)) from \(fileID):\(line)" }
}
#endif
