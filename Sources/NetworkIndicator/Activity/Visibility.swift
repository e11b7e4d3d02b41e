/// Decides when the indicator is on. It is a pure value without timers or callbacks.
///
/// Every call receives the time. An additional step has no effect. A *busy period* adds up the busy time, so there are
/// only two states: hidden and visible. A pause shorter than the hide delay does not end a busy period, and does not
/// count as busy time.
///
/// A deallocation is detected later than it happens. Busy time therefore counts only up to the last moment at which
/// a live task was seen.
struct Visibility: Sendable {
    /// When the indicator was switched on; `nil` while it is off.
    private var visibleSince: Timestamp?
    private(set) var isBusy = false
    /// When the app became busy, or idle.
    private(set) var since: Timestamp
    /// When a live task was last seen.
    private var seen: Timestamp
    /// The busy time of the busy period, up to `since`.
    private var earlierBusyTime: Duration = .zero

    /// The busy period before a pause, if a task that was live during the pause may still be found.
    private var doubt: (since: Timestamp, seen: Timestamp, busyTime: Duration)?

    init(at now: Timestamp) { (since, seen) = (now, now) }

    var isVisible: Bool { visibleSince != nil }

    private var busyTime: Duration { isBusy ? earlierBusyTime + since.duration(to: seen) : earlierBusyTime }

    /// Records that a task begins. While the app is busy, a begin has no effect: the next turn that finds the task live
    /// counts its time.
    ///
    /// Threads read the clock before they take the lock, so `now` may be earlier than the last edge. In that case, the
    /// time of that edge is used.
    ///
    /// - Returns: Whether the app became busy.
    mutating func begin(at now: Timestamp, hideDelay: Duration) -> Bool {
        guard !isBusy else { return false }
        let now = max(now, since)
        endBusyPeriodIfIdle(at: now, hideDelay: hideDelay)
        (isBusy, since, seen) = (true, now, now)
        return true
    }

    /// Records that a task was live from its begin up to a time. An examination or an explicit end shows this.
    ///
    /// - Parameter isOldest: Whether no older task can be live. If one can, the present period is kept until an
    ///   examination finds out whether it has ended.
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

    /// Whether a task that began at a time begins a new busy period, although no examination has found the app idle.
    ///
    /// This happens if the main thread was blocked: the earlier tasks may have ended long before.
    func hasEndedPeriod(before began: Timestamp, hideDelay: Duration) -> Bool {
        !isVisible && isPause(from: doubt?.seen ?? seen, to: began, hideDelay)
    }

    private func isPause(from end: Timestamp, to began: Timestamp, _ hideDelay: Duration) -> Bool {
        end < began && end.duration(to: began) >= hideDelay
    }

    /// Records that no task is left.
    ///
    /// If a poll detected the last task's end, the task ended earlier. While the indicator is off, idle time counts
    /// from when a live task was last seen. While it is on, idle time counts from the detection, so that the indicator
    /// doesn't blink between two tasks.
    mutating func becomeIdle(at now: Timestamp) {
        earlierBusyTime = busyTime
        (isBusy, since, doubt) = (false, isVisible ? max(now, seen) : seen, nil)
    }

    /// Ends the busy period if the app has been idle for the hide delay.
    mutating func endBusyPeriodIfIdle(at now: Timestamp, hideDelay: Duration) {
        if !isBusy, since.duration(to: now) >= hideDelay { earlierBusyTime = .zero }
    }

    /// Switches the indicator on or off, if that is due.
    ///
    /// Call it only if a live task has just been seen, or no task is left, or the indicator is disabled.
    ///
    /// - Returns: When the next step is due; `nil` if time alone changes nothing.
    mutating func step(
        isEnabled: Bool, at now: Timestamp, _ configuration: NetworkIndicatorManager.Configuration
    ) -> Timestamp? {
        endBusyPeriodIfIdle(at: now, hideDelay: configuration.hideDelay)
        switch (isEnabled, isBusy, visibleSince) {
        case (true, true, nil):
            let missing = configuration.showDelay - busyTime
            guard missing <= .zero else { return now + missing }
            visibleSince = now

        case (true, false, let visibleSince?):
            let deadline = max(since + configuration.hideDelay, visibleSince + configuration.minimumVisibleDuration)
            guard now >= deadline else { return deadline }
            self.visibleSince = nil

        case (false, _, _):
            visibleSince = nil

        case (true, true, _?), (true, false, nil):
            break
        }
        return nil
    }
}
