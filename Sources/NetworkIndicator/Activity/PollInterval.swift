/// Calculates how often the manager polls.
///
/// Unless it is the shortest interval, the interval is at most an eighth of the witness's age. A poll then detects the
/// end of the work late by at most an eighth of the work's duration. The interval grows only by doubling, so that the
/// timer is rarely set again.
enum PollInterval {
    static let shortest: Duration = .milliseconds(50)
    /// The longest interval while a caller waits for the manager to be idle.
    static let longestForWaiters: Duration = .milliseconds(100)
    /// The longest interval while monitors must be notified of long-running explicit tasks.
    static let longestForReports: Duration = .seconds(1)

    static func interval(age: Duration, atMost limit: Duration) -> Duration {
        var interval = min(shortest, limit)
        while interval < limit, min(interval * 2, limit) * 8 <= age { interval = min(interval * 2, limit) }
        return interval
    }
}

extension ManagerState {
    /// Returns the interval between polls, or `nil` if no task requires polls.
    func nextPollInterval(at now: Timestamp) -> Duration? {
        guard let witness else { return reportsLongRunning ? longestPauseOfVisits : nil }
        var limit = reportsLongRunning ? longestPauseOfVisits : configuration.completionCheckInterval
        if !waiters.isEmpty { limit = min(limit, PollInterval.longestForWaiters) }
        return PollInterval.interval(age: witness.began.duration(to: now), atMost: limit)
    }

    /// Whether polls are missing or too infrequent to report long-running explicit tasks.
    var needsReportTimer: Bool {
        reportsLongRunning && pollInterval.map { $0 > PollInterval.longestForReports } ?? true
    }

    private var reportsLongRunning: Bool { reportThreshold != nil && !tasks.explicitTasks.isEmpty }

    /// The duration after which monitors are notified that a task is still running; `nil` if they are never notified.
    var reportThreshold: Duration? { isMonitored ? configuration.longRunningTaskThreshold : nil }

    /// The longest time between two examinations of every task, while a monitor is attached.
    var longestPauseOfVisits: Duration {
        let limit = configuration.completionCheckInterval
        return reportsLongRunning ? min(limit, PollInterval.longestForReports) : limit
    }
}
