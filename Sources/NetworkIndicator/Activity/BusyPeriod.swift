/// When the app became busy or idle, and the busy time of the current busy period.
///
/// A pause shorter than the hide delay does not end a busy period. Pauses do not count as busy time.
///
/// A deallocation is detected later than it happens. Busy time therefore counts only up to the last moment at which
/// a live task was seen.
struct BusyPeriod {
    private(set) var isBusy = false
    /// When the app became busy, or idle.
    private(set) var since: Timestamp
    /// When a live task was last seen.
    private(set) var seen: Timestamp
    private var earlierBusyTime: Duration = .zero

    init(at now: Timestamp) { (since, seen) = (now, now) }

    var busyTime: Duration { isBusy ? earlierBusyTime + since.duration(to: seen) : earlierBusyTime }

    /// Records that a task was live at a time. A begin, an examination or an explicit end shows this.
    ///
    /// Threads read the clock before they take the lock, so `now` may be earlier than the last edge. The time of that
    /// edge is used then.
    ///
    /// - Returns: Whether the app became busy.
    mutating func seeLiveTask(at now: Timestamp, hideDelay: Duration) -> Bool {
        guard !isBusy else {
            seen = max(seen, now)
            return false
        }
        let now = max(now, since)
        endIfIdle(at: now, hideDelay: hideDelay)
        (isBusy, since, seen) = (true, now, now)
        return true
    }

    /// Records that the app is idle.
    ///
    /// - Parameter now: The beginning of the idle time, unless a live task was seen later.
    mutating func becomeIdle(at now: Timestamp) {
        earlierBusyTime = busyTime
        (isBusy, since) = (false, max(now, seen))
    }

    /// Ends the busy period if the app has been idle for the hide delay.
    mutating func endIfIdle(at now: Timestamp, hideDelay: Duration) {
        if !isBusy, since.duration(to: now) >= hideDelay { earlierBusyTime = .zero }
    }
}
