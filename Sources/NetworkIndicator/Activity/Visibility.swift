/// A *busy period* includes pauses shorter than the hide delay, but only its busy time counts toward the show delay.
/// The manager detects deallocations late, so busy time counts only until the last time at which a live task was seen.
struct Visibility: Sendable {
    private var visibleSince: Timestamp?
    private(set) var isBusy = false
    /// The start of the current busy time or idle time.
    private(set) var since: Timestamp
    private var seen: Timestamp
    private var earlierBusyTime: Duration = .zero

    /// The busy period before a presumed pause; `nil` unless a task may have been live during that pause.
    private var doubt: (since: Timestamp, seen: Timestamp, busyTime: Duration)?

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

    /// - Parameter isOldest: `false` if an older task may be live. In that case, `doubt` keeps the busy period before a
    ///   presumed pause until the manager knows whether that period has ended.
    mutating func seeLiveTask(since began: Timestamp, at now: Timestamp, hideDelay: Duration, isOldest: Bool) {
        guard isBusy else { return }
        if hasEndedPeriod(before: began, hideDelay: hideDelay) {
            let startsPeriod = doubt == nil || isPause(from: seen, to: began, hideDelay)
            if doubt == nil { doubt = (since, seen, earlierBusyTime) }
            (since, earlierBusyTime) = (startsPeriod ? began : min(since, began), .zero)
            if isOldest { doubt = nil }
        } else if let period = doubt {
            (since, earlierBusyTime, doubt) = (period.since, period.busyTime, nil)
        }
        seen = max(seen, now)
    }

    /// Returns whether the indicator is off and a pause before `began` seems to have ended the busy period. Such a
    /// pause is only presumed, because no examination has found the app idle.
    func hasEndedPeriod(before began: Timestamp, hideDelay: Duration) -> Bool {
        !isVisible && isPause(from: doubt?.seen ?? seen, to: began, hideDelay)
    }

    private func isPause(from end: Timestamp, to began: Timestamp, _ hideDelay: Duration) -> Bool {
        end < began && end.duration(to: began) >= hideDelay
    }

    /// While the indicator is on, idle time counts from `now`, so that the indicator doesn't turn off briefly between
    /// two tasks.
    mutating func becomeIdle(at now: Timestamp) {
        earlierBusyTime = busyTime
        (isBusy, since, doubt) = (false, isVisible ? max(now, seen) : seen, nil)
    }

    mutating func endBusyPeriodIfIdle(at now: Timestamp, hideDelay: Duration) {
        if !isBusy, since.duration(to: now) >= hideDelay { earlierBusyTime = .zero }
    }

    mutating func step(
        isEnabled: Bool, hasTasks: Bool, at now: Timestamp, _ configuration: NetworkIndicatorManager.Configuration
    ) -> Timestamp? {
        endBusyPeriodIfIdle(at: now, hideDelay: configuration.hideDelay)
        switch (isEnabled, isBusy, visibleSince) {
        // If `hasTasks` is `false`, the thread that ended the last task is about to record the end.
        case (true, true, nil) where hasTasks:
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
