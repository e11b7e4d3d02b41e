/// A *busy period* includes pauses shorter than the hide delay, but only its busy time counts toward the show delay.
/// The manager detects deallocations late, so busy time counts only until the last time at which a live task was seen.
///
/// A live task proves that the app has been busy since the task began. A pause before the oldest live task ends the
/// busy period, if the pause is at least as long as the hide delay and as the interval of the last poll.
///
/// The legal states:
/// - Idle and hidden: `since` is the start of the idle time, and equals `seen`. `earlierBusyTime` is the busy time of
///   the period, which the end of the pause adds up to or resets.
/// - Busy and hidden: `since` ≤ `seen`, and the busy time is `earlierBusyTime` and the time between the two.
/// - Busy and visible: as before. The busy time has reached the show delay.
/// - Idle and visible: `since` ≥ `seen`, because the hide delay counts from the detection.
struct Visibility: Sendable {
    private var visibleSince: Timestamp?
    private(set) var isBusy = false
    /// The start of the current busy time or idle time.
    private(set) var since: Timestamp
    private var seen: Timestamp
    private var earlierBusyTime: Duration = .zero

    init(at now: Timestamp) { (since, seen) = (now, now) }

    var isVisible: Bool { visibleSince != nil }

    private var busyTime: Duration { isBusy ? earlierBusyTime + since.duration(to: seen) : earlierBusyTime }

    mutating func begin(at now: Timestamp, hideDelay: Duration) -> Bool {
        guard !isBusy else { return false }
        // Threads read the clock before they acquire the lock, so `now` may be earlier than `since`.
        let now = max(now, since)
        endBusyPeriodIfIdle(at: now, hideDelay: hideDelay)
        (isBusy, since, seen) = (true, now, now)
        return true
    }

    /// - Parameters:
    ///   - began: The time at which the oldest of the tasks known to be live has begun.
    ///   - shortestPause: The time for which the app must have been idle before `began`, so that the busy period ended.
    mutating func seeLiveTask(since began: Timestamp, at now: Timestamp, shortestPause: Duration) {
        guard isBusy else { return }
        if !isVisible, seen < began, seen.duration(to: began) >= shortestPause {
            (since, earlierBusyTime) = (began, .zero)
        }
        since = min(since, began)
        seen = max(seen, now)
    }

    /// While the indicator is on, idle time counts from `now`, so that the indicator doesn't turn off briefly between
    /// two tasks.
    mutating func becomeIdle(at now: Timestamp) {
        earlierBusyTime = busyTime
        (isBusy, since) = (false, isVisible ? max(now, seen) : seen)
    }

    mutating func endBusyPeriodIfIdle(at now: Timestamp, hideDelay: Duration) {
        if !isBusy, since.duration(to: now) >= hideDelay { earlierBusyTime = .zero }
    }

    mutating func step(
        isEnabled: Bool, hasLiveTask: Bool, at now: Timestamp, _ configuration: NetworkIndicatorManager.Configuration
    ) -> Timestamp? {
        endBusyPeriodIfIdle(at: now, hideDelay: configuration.hideDelay)
        switch (isEnabled, isBusy, visibleSince) {
        // Without a live task, either the thread that ended the last task is about to record the end, or tasks began
        // during the examination, and the next poll checks them.
        case (true, true, nil) where hasLiveTask:
            let missing = configuration.showDelay - busyTime
            guard missing <= .zero else { return now + missing }
            visibleSince = now

        case (true, false, let visibleSince?):
            let deadline = max(since + configuration.hideDelay, visibleSince + configuration.minimumVisibleDuration)
            guard now >= deadline else { return deadline }
            self.visibleSince = nil

        case (false, _, _):
            visibleSince = nil

        case (true, true, _), (true, false, nil):
            break
        }
        return nil
    }
}
