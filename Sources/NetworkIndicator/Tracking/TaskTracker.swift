/// What every thread shares: the registry, the busy period, the events for monitors, behind one lock.
///
/// It outlives its manager while tokens and attachments refer to it, and then nobody asks it anything.
///
/// The form of every call: take what is needed under the lock; unlock; only then release what was loaded, ask for a
/// reconcile, deliver events. No foreign code runs under the lock, the release of a caller's object included.
final class TaskTracker: Sendable {
    typealias Work = @MainActor @Sendable () -> Void

    struct State {
        var registry = TokenRegistry()
        var busyPeriod: BusyPeriod
        var events = EventQueue()
        var outputs = Outputs()
        var waiters = Waiters()
        var configuration: NetworkIndicatorManager.Configuration
        var isEnabled = true
        /// Whether the polling timer runs.
        var isPolling = false
        /// Whether the timer that looks for long-running opaque and counted tasks runs.
        var isWatchingLongRunning = false
        /// Whether a reconcile has been asked for and has not yet begun.
        var isReconcileRequested = false
        /// How to reconcile; nil once the manager is gone.
        var reconcile: Work?

        /// Asks for a reconcile; the first to ask has to send the work off.
        mutating func requestReconcile() -> Work? {
            guard !isReconcileRequested, let reconcile else { return nil }
            isReconcileRequested = true
            return reconcile
        }

        /// Notes an edge between idle and busy, and finds out what has to be done after unlocking: mostly nothing.
        ///
        /// - Parameter now: Needed where there may be an edge.
        @inline(__always)
        mutating func settle(at now: Timestamp?) -> FollowUp? { isSteady ? nil : settleChange(at: now) }

        /// Whether the app was busy and still is, with the timers that it takes, while nobody listens.
        private var isSteady: Bool {
            registry.isBusy && busyPeriod.isBusy && (isPolling || registry.weakTasks.isEmpty) && events.isQuiet
        }

        /// Whether a new task is to look at older ones. Monitors hear of ends no later for there being few tasks.
        var needsSweep: Bool { registry.needsSweep || events.isMonitored }
        /// Whether the next end may be an edge, and needs the time.
        var isDownToOne: Bool { registry.count == 1 }

        @inline(never)
        private mutating func settleChange(at now: Timestamp?) -> FollowUp {
            var needsReconcile = !isPolling && !registry.weakTasks.isEmpty
            if registry.isBusy != busyPeriod.isBusy {
                busyPeriod.change(toBusy: registry.isBusy, at: now!, hideDelay: configuration.hideDelay)
                needsReconcile = true
            }
            if events.isMonitored, !isWatchingLongRunning, registry.hasCertainTasks,
                configuration.longRunningTaskThreshold != nil
            {
                needsReconcile = true
            }
            return FollowUp(
                reconcile: needsReconcile ? requestReconcile() : nil, waiters: takeWaiters(),
                hasEvents: events.needsDelivery)
        }

        /// Who waits for this moment, if it is one of no tasks and no indicator.
        mutating func takeWaiters() -> [Waiters.Continuation] {
            let isIdle = !registry.isBusy && !outputs.isVisible && outputs.hasEverybodyHeard
            return isIdle && !waiters.isEmpty ? waiters.takeAll() : []
        }
    }

    /// What a critical section leaves to be done after it. Rare, so that it is an object: no more than a nil elsewhere.
    final class FollowUp {
        let reconcile: Work?
        let waiters: [Waiters.Continuation]
        let hasEvents: Bool

        init(reconcile: Work?, waiters: [Waiters.Continuation], hasEvents: Bool) {
            self.reconcile = reconcile
            self.waiters = waiters
            self.hasEvents = hasEvents
        }
    }

    /// What is true, for a reconcile.
    struct Situation {
        let input: VisibilityStateMachine.Input
        let configuration: NetworkIndicatorManager.Configuration
        let hasCertainTasks: Bool
        /// How often to poll; nil where no caller's object is tracked.
        let pollInterval: Duration?
        /// After how long opaque and counted tasks are long-running; nil where there are none, or nobody listens.
        let watchThreshold: Duration?
    }

    let state: Lock<State>
    let scheduler: any ActivityScheduler

    init(configuration: NetworkIndicatorManager.Configuration, scheduler: any ActivityScheduler) {
        self.scheduler = scheduler
        state = Lock(State(busyPeriod: BusyPeriod(at: Timestamp(scheduler.now)), configuration: configuration))
    }

    var now: Timestamp { Timestamp(scheduler.now) }

    // MARK: After unlocking

    @inline(__always)
    func perform(_ followUp: FollowUp?) {
        if let followUp { performNow(followUp) }
    }

    @inline(never)
    private func performNow(_ followUp: FollowUp) {
        if let work = followUp.reconcile { scheduler.performOnMain(work) }
        for waiter in followUp.waiters { waiter.resume() }
        if followUp.hasEvents { deliverEvents() }
    }

    func requestReconcile() {
        if let work = state.withLock({ $0.requestReconcile() }) { scheduler.performOnMain(work) }
    }

    func deliverEvents() {
        guard state.withLock({ $0.events.beginDelivery() }) else { return }
        while let batches = state.withLock({ $0.events.takeBatches() }) {
            for batch in batches { batch.deliver() }
        }
    }

    func reportMisuse(
        _ kind: NetworkTaskMisuse.Kind, type: (any Any.Type)? = nil, fileID: StaticString, line: UInt
    ) {
        let hasEvents = state.withLock { state in
            state.events.append(.misuse(NetworkTaskMisuse(kind, type: type, fileID: fileID, line: line)))
            return state.events.needsDelivery
        }
        if hasEvents { deliverEvents() }
    }

    /// Runs `body` under the lock; with the time if that matters, as `needsTime` says there. Mostly it does not, and the
    /// clock is dearer than the lock. (It is not read under the lock: the scheduler may be the caller's.)
    @inline(__always)
    private func withState<R>(timeIf needsTime: (State) -> Bool, _ body: (inout State, Timestamp?) -> R) -> R {
        if let result = state.withLock({ needsTime($0) ? nil : body(&$0, nil) }) { return result }
        let now = self.now
        return state.withLock { body(&$0, now) }
    }

    // MARK: Callers' objects

    func begin(_ token: AnyObject, label: String?, fileID: StaticString, line: UInt) {
        let type: any Any.Type = type(of: token)
        guard type != NetworkTaskToken.self else {
            return reportMisuse(.foreignToken, type: type, fileID: fileID, line: line)
        }
        let now = self.now
        let (_, followUp) = state.withLock { state in
            var replaced: NetworkTaskInfo?
            let begin = state.registry.begin(
                token,
                NetworkTaskInfo(
                    id: state.registry.makeID(), label: label, type: type, began: now, fileID: fileID, line: line))
            switch begin {
            case .began(let slot):
                state.events.append(.began(state.registry.weakTasks[slot].info))
            case .replaced(let dead, let slot):
                replaced = dead
                state.events.append(.ended(dead, .deallocated))
                state.events.append(.began(state.registry.weakTasks[slot].info))
            case .alreadyBegan:
                state.events.append(
                    .misuse(NetworkTaskMisuse(.alreadyBegan, type: type, fileID: fileID, line: line)))
            }
            let examined = state.needsSweep ? (state.examineNext(), state.examineNext()) : (.nothing, .nothing)
            return ((replaced?.label, examined), state.settle(at: now))
        }
        perform(followUp)
    }

    func finish(_ token: AnyObject, fileID: StaticString, line: UInt) {
        let type: any Any.Type = type(of: token)
        if type == NetworkTaskToken.self {
            let token = unsafeDowncast(token, to: NetworkTaskToken.self)
            guard token.tracker === self else {
                return reportMisuse(.foreignToken, type: type, fileID: fileID, line: line)
            }
            guard !finishOpaque(token.task, of: token) else { return }
            return reportMisuse(.unknownToken, type: type, fileID: fileID, line: line)
        }
        let (_, followUp) = withState(timeIf: \.isDownToOne) { state, now in
            guard let slot = state.registry.slot(of: token) else {
                state.events.append(
                    .misuse(NetworkTaskMisuse(.unknownToken, type: type, fileID: fileID, line: line)))
                return (TokenRegistry.Leftover.nothing, state.settle(at: now))
            }
            // Where the reference is nil, the call comes from the token's own `deinit`, or the task was that of a dead
            // token at the same address: either way it is over.
            state.events.append(
                .ended(
                    state.registry.weakTasks[slot].info,
                    state.registry.weakTasks[slot].token.object == nil ? .deallocated : .finished))
            return (state.registry.endWeakTask(in: slot), state.settle(at: now))
        }
        perform(followUp)
    }

    // MARK: Opaque tasks

    func beginOpaque(type: any Any.Type, label: String?, fileID: StaticString, line: UInt) -> TokenRegistry.OpaqueTask {
        let now = self.now
        let (task, followUp) = state.withLock { state in
            let task = state.registry.beginOpaque(
                NetworkTaskInfo(
                    id: state.registry.makeID(), label: label, type: type, began: now, fileID: fileID, line: line))
            state.events.append(.began(state.registry.opaqueTasks[task.slot]))
            return (task, state.settle(at: now))
        }
        perform(followUp)
        return task
    }

    /// - Parameter token: The token, unless it is on its way out or there is none.
    /// - Returns: Whether there was such a task.
    func finishOpaque(_ task: TokenRegistry.OpaqueTask, of token: NetworkTaskToken? = nil) -> Bool {
        let (isFinished, _, followUp) = withState(timeIf: \.isDownToOne) { state, now in
            token?.isFinished = true
            guard state.registry.isOpaqueTask(task) else {
                return (false, TokenRegistry.Leftover.nothing, state.settle(at: now))
            }
            state.events.append(.ended(state.registry.opaqueTasks[task.slot], .finished))
            return (true, state.registry.end(task), state.settle(at: now))
        }
        perform(followUp)
        return isFinished
    }

    // MARK: The activity count

    func increment(fileID: StaticString, line: UInt) {
        let isDone = state.withLock { state in
            !state.events.isMonitored && state.registry.counted.incrementFurther()
        }
        if isDone { return }
        let now = self.now
        let followUp = state.withLock { state in
            let info = NetworkTaskInfo(
                id: state.registry.makeID(), label: nil, type: nil, began: now, fileID: fileID, line: line)
            state.registry.counted.increment(info, isRecording: state.events.isMonitored)
            state.events.append(.began(info))
            return state.settle(at: now)
        }
        perform(followUp)
    }

    func decrement(fileID: StaticString, line: UInt) {
        if state.withLock({ $0.registry.counted.decrementFurther() }) { return }
        let now = self.now
        let followUp = state.withLock { state in
            guard state.registry.counted.count > 0 else {
                state.events.append(.misuse(NetworkTaskMisuse(.countBelowZero, fileID: fileID, line: line)))
                return state.settle(at: now)
            }
            if let info = state.registry.counted.decrement() { state.events.append(.ended(info, .finished)) }
            return state.settle(at: now)
        }
        perform(followUp)
    }

    func reset() {
        let now = self.now
        let (_, followUp) = state.withLock { state in
            let old = state.registry.removeAll()
            state.events.append(resetOf: old)
            return (old, state.settle(at: now))
        }
        perform(followUp)
    }
}
