/// When the indicator goes on and off: a pure value that owns no timer and calls nothing.
///
/// It is told what is true now, as often as anybody likes, and answers when to look again.
struct VisibilityStateMachine {
    enum State: Hashable {
        case hidden
        case showPending
        case visible(since: SuspendingClock.Instant)
        case hidePending(visibleSince: SuspendingClock.Instant)
    }

    enum Input {
        /// A live task was found, and the busy period has come to this much busy time.
        case busy(time: Duration)
        case idle(since: SuspendingClock.Instant)
        case disabled
    }

    private(set) var state: State = .hidden

    var isVisible: Bool {
        switch state {
        case .hidden, .showPending: false
        case .visible, .hidePending: true
        }
    }

    /// Takes in what is true at `now`.
    ///
    /// - Returns: When to look again even if nothing else happens; `nil` where there is nothing to wait for.
    mutating func step(
        _ input: Input, at now: SuspendingClock.Instant, _ configuration: NetworkIndicatorManager.Configuration
    ) -> SuspendingClock.Instant? {
        switch (state, input) {
        case (.hidden, .busy(let time)), (.showPending, .busy(let time)):
            let missing = configuration.showDelay - time
            guard missing > .zero else {
                state = .visible(since: now)
                return nil
            }
            state = .showPending
            return now.advanced(by: missing)

        case (.hidden, .idle), (.hidden, .disabled):
            return nil

        case (.showPending, .idle(let idleSince)):
            let deadline = idleSince.advanced(by: configuration.hideDelay)
            guard now >= deadline else { return deadline }
            state = .hidden
            return nil

        case (.visible(let since), .busy), (.hidePending(let since), .busy):
            state = .visible(since: since)
            return nil

        case (.visible(let since), .idle(let idleSince)), (.hidePending(let since), .idle(let idleSince)):
            let deadline = max(
                idleSince.advanced(by: configuration.hideDelay),
                since.advanced(by: configuration.minimumVisibleDuration))
            guard now >= deadline else {
                state = .hidePending(visibleSince: since)
                return deadline
            }
            state = .hidden
            return nil

        case (.showPending, .disabled), (.visible, .disabled), (.hidePending, .disabled):
            state = .hidden
            return nil
        }
    }
}
