/// How often the manager polls.
///
/// The interval is at most an eighth of the witness's age, so that a poll's error is at most an eighth of the work. It
/// only doubles, so that the timer is rarely set again.
enum PollInterval {
    static let shortest: Duration = .milliseconds(50)
    /// While a caller waits for the manager to be idle, the manager polls at least this often.
    static let longestForWaiters: Duration = .milliseconds(100)
    /// With a monitor, the manager polls at least this often for long-running explicit tasks.
    static let longestForReports: Duration = .seconds(1)

    static func interval(age: Duration, atMost limit: Duration) -> Duration {
        var interval = min(shortest, limit)
        while interval < limit, min(interval * 2, limit) * 8 <= age { interval = min(interval * 2, limit) }
        return interval
    }
}

extension ManagerState {
    /// How often to poll; `nil` if no task needs it.
    func nextPollInterval(at now: Timestamp) -> Duration? {
        guard let witness else { return reportsLongRunning ? longestPauseOfVisits : nil }
        var limit = reportsLongRunning ? longestPauseOfVisits : configuration.completionCheckInterval
        if !waiters.isEmpty { limit = min(limit, PollInterval.longestForWaiters) }
        return PollInterval.interval(age: witness.began.duration(to: now), atMost: limit)
    }

    /// Whether polls are missing, or too rare, to report a long-running explicit task.
    var needsReportTimer: Bool {
        reportsLongRunning && pollInterval.map { $0 > PollInterval.longestForReports } ?? true
    }

    private var reportsLongRunning: Bool { reportThreshold != nil && !tasks.explicitTasks.isEmpty }

    /// After which time monitors are notified of a task; `nil` for never.
    var reportThreshold: Duration? { isMonitored ? configuration.longRunningTaskThreshold : nil }

    /// With a monitor, the longest time between two visits of every task.
    var longestPauseOfVisits: Duration {
        let limit = configuration.completionCheckInterval
        return reportsLongRunning ? min(limit, PollInterval.longestForReports) : limit
    }
}
