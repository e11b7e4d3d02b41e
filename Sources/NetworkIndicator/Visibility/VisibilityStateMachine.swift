/// Decides when the indicator goes on and off. It is a pure value without timers or callbacks.
///
/// Each step receives the current state of the tasks, and returns when the next step is due. An additional step has no
/// effect. ``BusyPeriod`` adds up busy time, so the machine has only two states.
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

    /// Applies the state of the tasks at `now`.
    ///
    /// - Returns: When the next step is due even without new input; `nil` if time alone changes nothing.
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
