/// When the app became busy or idle, and how much busy time the present busy period has added up.
///
/// A pause shorter than the hide delay does not end a busy period. Pauses themselves do not count.
struct BusyPeriod {
    private(set) var isBusy = false
    /// When the app last became busy, or idle.
    private(set) var since: Timestamp
    /// The busy time before `since`.
    private var earlier: Duration = .zero

    init(at now: Timestamp) { since = now }

    /// The busy time so far.
    func busyTime(at now: Timestamp) -> Duration {
        isBusy ? earlier + max(.zero, since.duration(to: now)) : earlier
    }

    /// The app became busy, or idle. Threads read the clock before they get the lock, so `now` may lie before the last
    /// edge: time never runs backwards here.
    mutating func change(toBusy isBusy: Bool, at now: Timestamp, hideDelay: Duration) {
        let now = max(now, since)
        endIfIdle(at: now, hideDelay: hideDelay)
        earlier = busyTime(at: now)
        self.isBusy = isBusy
        since = now
    }

    /// Ends the busy period if the app has been idle for as long as the hide delay.
    mutating func endIfIdle(at now: Timestamp, hideDelay: Duration) {
        if !isBusy, since.duration(to: now) >= hideDelay { earlier = .zero }
    }
}
