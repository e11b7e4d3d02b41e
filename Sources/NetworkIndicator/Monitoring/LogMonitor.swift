#if canImport(os)
public import os

/// Writes what happens to the unified log, which Console and `log stream` show.
///
/// Begins and ends are `debug` messages, the indicator's going on and off is `info`, a task that runs for long is a
/// `notice`, and misuse is an `error`: the last two are kept.
///
/// ```swift
/// NetworkIndicatorManager.shared.addMonitor(LogMonitor())
/// ```
///
/// Labels are `private`: without a debugger attached the log shows them redacted.
public struct LogMonitor: NetworkTaskMonitor {
    private let logger: Logger

    /// Makes a monitor.
    ///
    /// - Parameter logger: Where to write. By default subsystem `NetworkIndicator`, category `Tasks`.
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
    /// Which task it is, without its label, which may name what only its user should read.
    fileprivate var place: String { "task \(id) (\(tokenType)) from \(fileID):\(line)" }
}
#endif
