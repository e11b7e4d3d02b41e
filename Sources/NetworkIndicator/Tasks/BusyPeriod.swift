/// When the app became busy or idle, and how much busy time the current busy period has accumulated.
///
/// A pause shorter than the hide delay does not end a busy period. Pauses do not count as busy time.
struct BusyPeriod {
    private(set) var isBusy = false
    /// When the app last became busy, or idle.
    private(set) var since: Timestamp
    private var busyTimeBeforeSince: Duration = .zero

    init(at now: Timestamp) { since = now }

    func busyTime(at now: Timestamp) -> Duration {
        isBusy ? busyTimeBeforeSince + max(.zero, since.duration(to: now)) : busyTimeBeforeSince
    }

    /// Records that the app became busy, or idle.
    ///
    /// Threads read the clock before they take the lock, so `now` may be earlier than the last edge. The time of that
    /// edge is used then.
    mutating func change(toBusy isBusy: Bool, at now: Timestamp, hideDelay: Duration) {
        let now = max(now, since)
        endIfIdle(at: now, hideDelay: hideDelay)
        busyTimeBeforeSince = busyTime(at: now)
        self.isBusy = isBusy
        since = now
    }

    /// Ends the busy period if the app has been idle for the hide delay.
    mutating func endIfIdle(at now: Timestamp, hideDelay: Duration) {
        if !isBusy, since.duration(to: now) >= hideDelay { busyTimeBeforeSince = .zero }
    }
}
