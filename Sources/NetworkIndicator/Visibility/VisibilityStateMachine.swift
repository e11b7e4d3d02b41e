/// When the indicator goes on and off: a pure value that owns no timer and calls nothing.
///
/// Each step gets what is true now, and returns when the next step is due. An additional step changes nothing. Busy time
/// is added up by ``BusyPeriod``, so the machine has two states only.
struct VisibilityStateMachine {
    enum Input {
        /// A live task was found, and the busy period has accumulated this much busy time.
        case busy(time: Duration)
        case idle(since: SuspendingClock.Instant)
        case disabled
    }

    /// When the indicator was switched on; `nil` while it is off.
    private(set) var visibleSince: SuspendingClock.Instant?

    var isVisible: Bool { visibleSince != nil }

    /// Applies what is true at `now`.
    ///
    /// - Returns: When the next step is due even if nothing else happens; `nil` if time alone changes nothing.
    mutating func step(
        _ input: Input, at now: SuspendingClock.Instant, _ configuration: NetworkIndicatorManager.Configuration
    ) -> SuspendingClock.Instant? {
        switch (input, visibleSince) {
        case (.busy(let time), nil):
            let missing = configuration.showDelay - time
            guard missing <= .zero else { return now.advanced(by: missing) }
            visibleSince = now

        case (.idle(let idleSince), let visibleSince?):
            let deadline = max(
                idleSince.advanced(by: configuration.hideDelay),
                visibleSince.advanced(by: configuration.minimumVisibleDuration))
            guard now >= deadline else { return deadline }
            self.visibleSince = nil

        case (.disabled, _):
            visibleSince = nil

        case (.busy, _?), (.idle, nil):
            break
        }
        return nil
    }
}
