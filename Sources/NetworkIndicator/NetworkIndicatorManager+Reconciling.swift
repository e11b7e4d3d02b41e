import Observation

extension NetworkIndicatorManager {
    @MainActor
    func reconcileIfRequested() {
        if tracker.state.withLock({ $0.isReconcileRequested }) { reconcile() }
    }

    /// Brings the indicator, the timers and everybody who listens into line with what is true now.
    ///
    /// Level-triggered: it does not matter how often it is called, or why. Main actor; takes one slice of a sweep, and
    /// comes back at a later main turn for the next where there is more to look at.
    @MainActor
    private func reconcile() {
        // Lowered first: whatever changes from here on asks anew.
        tracker.state.withLock { $0.isReconcileRequested = false }
        // Tokens may be gone that nobody has looked at: nothing is shown for them.
        let sweep = tracker.sweepToLiveToken()
        if sweep == .unfinished { tracker.requestReconcile() }
        let completedPass = lookOnThroughPass()

        let now = tracker.scheduler.now
        let situation = tracker.state.withLock { $0.situation(at: Timestamp(now)) }
        if sweep != .unfinished || situation.isCertain {
            let deadline = reconciliation.machine.step(situation.input, at: now, situation.configuration)
            armDeadlineTimer(deadline)
        }
        armPollTimer(situation.pollInterval)
        armWatchTimer(situation, completedPass)
        publish()
        deliver()
    }

    // MARK: Telling

    @MainActor
    private func publish() {
        // Read anew within the mutation: an observer may have run a nested reconcile before it.
        while tracker.state.withLock({ $0.outputs.isVisible }) != reconciliation.machine.isVisible {
            let followUp = registrar.withMutation(of: self, keyPath: \.isIndicatorVisible) {
                let isVisible = reconciliation.machine.isVisible
                return tracker.state.withLock { $0.show(isVisible) }
            }
            tracker.perform(followUp)
        }
    }

    @MainActor
    private func deliver() {
        while let (output, value) = tracker.state.withLock({ $0.outputs.nextDelivery() }) {
            switch output {
            case .indicator(let attachment): attachment.indicator.setVisible(value)
            case .stream(let continuation): continuation.yield(value)
            }
        }
        for waiter in tracker.state.withLock({ $0.takeWaiters() }) { waiter.resume() }
    }

    // MARK: Timers

    @MainActor
    private func armDeadlineTimer(_ deadline: SuspendingClock.Instant?) {
        guard reconciliation.deadlineTimer?.deadline != deadline else { return }
        reconciliation.deadlineTimer?.timer.cancel()
        reconciliation.deadlineTimer = deadline.map { deadline in
            let timer = tracker.scheduler.schedule(at: deadline, repeatingEvery: nil) { [weak self] in
                self?.reconciliation.deadlineTimer = nil
                self?.reconcile()
            }
            return (timer, deadline)
        }
    }

    @MainActor
    private func armPollTimer(_ interval: Duration?) {
        guard reconciliation.pollTimer?.interval != interval else { return }
        reconciliation.pollTimer?.timer.cancel()
        reconciliation.pollTimer = interval.map { interval in
            let first = tracker.scheduler.now.advanced(by: interval)
            let timer = tracker.scheduler.schedule(at: first, repeatingEvery: interval) { [weak self] in self?.poll() }
            return (timer, interval)
        }
    }

    @MainActor
    private func poll() {
        if tracker.state.withLock({ $0.events.isMonitored }) { beginPass() }
        reconcile()
    }

    // MARK: Looking at every task, for monitors

    @MainActor
    private func beginPass() {
        if reconciliation.pass == nil { reconciliation.pass = .init() }
    }

    /// - Returns: The pass, if this was the last slice of it.
    @MainActor
    private func lookOnThroughPass() -> TokenRegistry.Pass? {
        guard var pass = reconciliation.pass else { return nil }
        _ = tracker.look(&pass)
        reconciliation.pass = pass.isComplete ? nil : pass
        if !pass.isComplete { tracker.requestReconcile() }
        return pass.isComplete ? pass : nil
    }

    /// Sees to it that there is a pass when the next opaque or counted task has been running for too long.
    @MainActor
    private func armWatchTimer(_ situation: TaskTracker.Situation, _ completedPass: TokenRegistry.Pass?) {
        let interval = situation.configuration.completionCheckInterval
        if let watch = reconciliation.watchTimer,
            (watch.threshold, watch.interval) != (situation.watchThreshold, interval)
        {
            reconciliation.watchTimer?.timer.cancel()
            reconciliation.watchTimer = nil
        }
        guard let threshold = situation.watchThreshold, reconciliation.watchTimer == nil else { return }
        guard let completedPass else {
            // Which task is next is not known before every task has been looked at.
            beginPass()
            tracker.requestReconcile()
            return
        }
        let now = tracker.scheduler.now
        // A pass costs a look at every task, so there is no second one within an interval, or a second.
        let next = max(
            (completedPass.oldestUnreported?.instant ?? now).advanced(by: threshold),
            now.advanced(by: min(interval, .seconds(1))))
        let timer = tracker.scheduler.schedule(at: next, repeatingEvery: nil) { [weak self] in
            self?.reconciliation.watchTimer = nil
            self?.reconcile()
        }
        reconciliation.watchTimer = (timer, threshold, interval)
    }
}

/// What only the main actor knows: the state machine, and the timers that bring the manager back to it.
@MainActor
final class Reconciliation {
    var machine = VisibilityStateMachine()
    var deadlineTimer: (timer: any ActivityTimer, deadline: SuspendingClock.Instant)?
    var pollTimer: (timer: any ActivityTimer, interval: Duration)?
    var watchTimer: (timer: any ActivityTimer, threshold: Duration, interval: Duration)?
    /// A pass over all tasks that has begun: a slice a turn.
    var pass: TokenRegistry.Pass?

    nonisolated init() {}

    func cancelTimers() {
        deadlineTimer?.timer.cancel()
        pollTimer?.timer.cancel()
        watchTimer?.timer.cancel()
    }
}
