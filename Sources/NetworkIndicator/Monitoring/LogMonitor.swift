#if canImport(os)
public import os

/// Writes each event to the unified log, which Console and `log stream` show.
///
/// The start and end of each task are `debug` messages, and visibility changes are `info` messages. A long-running task
/// is a `notice`, and misuse is an `error`. The system stores notices and errors.
///
/// ```swift
/// NetworkIndicatorManager.shared.attach(LogMonitor())
/// ```
///
/// Labels are `private`: the log redacts them unless a debugger is attached.
public struct LogMonitor: NetworkTaskMonitor {
    private let logger: Logger

    /// Creates a monitor.
    ///
    /// - Parameter logger: The logger to write to. By default, its subsystem is `NetworkIndicator` and its category
    ///   `Tasks`.
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
