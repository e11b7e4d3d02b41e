/// A *busy period* includes pauses shorter than the hide delay, but only its busy time counts toward the show delay.
/// The manager detects deallocations late, so busy time counts only until the last time at which a live task was seen.
///
/// A live task proves that the app has been busy since the task began. A pause before the oldest live task ends the
/// busy period. A call that ends a task knows only its own task, so an older object may prove that there was no pause.
/// The earlier periods are therefore kept until a turn has seen the oldest live task.
///
/// The legal states:
/// - Idle and hidden: `idleSince` is the time at which a live task was last seen.
/// - Busy and hidden: only in this state can there be earlier periods.
/// - Busy and visible: the busy time has reached the show delay.
/// - Idle and visible: `idleSince` is the time of the detection, when the hide delay starts.
struct Visibility: Sendable {
    private struct Period {
        var since: Timestamp
        /// The last time at which a live task was seen.
        var seen: Timestamp
        var earlierBusyTime: Duration = .zero

        var busyTime: Duration { earlierBusyTime + seen - since }

        func isOver(after pause: Duration, before began: Timestamp) -> Bool { began - seen >= pause }
    }

    private var period: Period
    private var earlierPeriods: [Period] = []
    private var idleSince: Timestamp?
    private var visibleSince: Timestamp?

    init(at now: Timestamp) { (period, idleSince) = (Period(since: now, seen: now), now) }

    var isBusy: Bool { idleSince == nil }
    var isVisible: Bool { visibleSince != nil }
    /// Whether an older live task than those seen so far may continue an earlier period.
    var hasEarlierPeriods: Bool { !earlierPeriods.isEmpty }

    mutating func begin(at now: Timestamp, hideDelay: Duration) -> Bool {
        guard !isBusy else { return false }
        endPeriodIfIdle(at: now, hideDelay: hideDelay)
        (period, idleSince) = (Period(since: now, seen: now, earlierBusyTime: period.busyTime), nil)
        return true
    }

    /// - Parameters:
    ///   - began: The time at which the oldest of the tasks known to be live has begun.
    ///   - shortestPause: The time for which the app must have been idle before `began`, so that the busy period ended.
    ///     If this were zero, calls could add periods without limit while the main thread is blocked.
    mutating func seeLiveTask(since began: Timestamp, at now: Timestamp, shortestPause: Duration) {
        while let earlier = earlierPeriods.last, !earlier.isOver(after: shortestPause, before: began) {
            period = earlierPeriods.removeLast()
        }
        if !isVisible, period.isOver(after: shortestPause, before: began) {
            earlierPeriods.append(period)
            period = Period(since: began, seen: now)
        }
        (period.since, period.seen) = (min(period.since, began), now)
    }

    /// While the indicator is on, idle time counts from `now`, so that the indicator doesn't turn off briefly between
    /// two tasks.
    mutating func becomeIdle(at now: Timestamp) {
        if isBusy { (idleSince, earlierPeriods) = (isVisible ? now : period.seen, []) }
    }

    mutating func endPeriodIfIdle(at now: Timestamp, hideDelay: Duration) {
        if let idleSince, now - idleSince >= hideDelay { period = Period(since: now, seen: now) }
    }

    /// Shows or hides the indicator after an examination, or returns the time at which to do so.
    mutating func step(
        isEnabled: Bool, hasLiveTask: Bool, at now: Timestamp, _ configuration: NetworkIndicatorManager.Configuration
    ) -> Timestamp? {
        earlierPeriods = []
        switch (isEnabled, idleSince, visibleSince) {
        // Without a live task, tasks began during the examination, and the next poll checks them.
        case (true, nil, nil) where hasLiveTask:
            let missing = configuration.showDelay - period.busyTime
            guard missing <= .zero else { return now + missing }
            visibleSince = now

        case (true, let idleSince?, let visibleSince?):
            let deadline = max(idleSince + configuration.hideDelay, visibleSince + configuration.minimumVisibleDuration)
            guard now >= deadline else { return deadline }
            self.visibleSince = nil

        case (false, _, _):
            visibleSince = nil

        case (true, nil, _), (true, _?, nil):
            break
        }
        return nil
    }
}
