#if canImport(os)
public import os

/// Writes each event to the unified log, which Console and `log stream` show.
///
/// The monitor logs the start and end of each task at the `debug` level, and visibility changes at the `info` level.
/// It logs long-running tasks at the `notice` level, and misuse at the `error` level. By default, the system stores
/// only the events of the last two levels on disk.
///
/// ```swift
/// NetworkIndicatorManager.shared.attach(LogMonitor())
/// ```
///
/// Labels are `private`, so the log redacts them unless a debugger is attached.
public struct LogMonitor: NetworkTaskMonitor {
    private let logger: Logger

    /// Creates a monitor.
    ///
    /// - Parameter logger: The logger to write to. The default logger has the subsystem `NetworkIndicator` and the
    ///   category `Tasks`.
    public init(_ logger: Logger = Logger(subsystem: "NetworkIndicator", category: "Tasks")) {
        self.logger = logger
    }

    public func networkIndicator(_ event: NetworkTaskEvent) {
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
    /// Identifies the task without its label, which may contain private data.
    var place: String { "task \(id) (\(tokenType)) from \(fileID):\(line)" }
}
#endif
