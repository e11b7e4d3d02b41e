/// The interval between polls is at most an eighth of the witness's age, or at most 50 ms if that is longer. The
/// interval grows by doubling, so that the manager rarely reschedules the timer.
enum PollInterval {
    static let shortest: Duration = .milliseconds(50)
    static let longestForWaiters: Duration = .milliseconds(100)
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

    var needsReportTimer: Bool {
        reportsLongRunning && pollInterval.map { $0 > PollInterval.longestForReports } ?? true
    }

    private var reportsLongRunning: Bool { reportThreshold != nil && !tasks.explicitTasks.isEmpty }

    var reportThreshold: Duration? { isMonitored ? configuration.longRunningTaskThreshold : nil }

    var longestPauseOfVisits: Duration {
        let limit = configuration.completionCheckInterval
        return reportsLongRunning ? min(limit, PollInterval.longestForReports) : limit
    }
}
