/// Calculates how often the manager polls.
///
/// The interval between polls is at most an eighth of the witness's age, or 50 ms if that is longer. A poll therefore
/// detects the witness's end with a delay of at most an eighth of the witness's lifetime, or 50 ms. The interval grows
/// by doubling, so that the timer is rarely rescheduled.
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
    func nextPollInterval(at now: Timestamp) -> Duration? {
        guard let witness else { return reportsLongRunning ? longestPauseOfVisits : nil }
        var limit = reportsLongRunning ? longestPauseOfVisits : configuration.completionCheckInterval
        if !waiters.isEmpty { limit = min(limit, PollInterval.longestForWaiters) }
        return PollInterval.interval(age: witness.began.duration(to: now), atMost: limit)
    }

    /// Whether the manager must poll more often, so that monitors are notified of long-running explicit tasks in time.
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
