import Dispatch

/// What every thread shares: the registry, the busy period, the events for monitors, behind one lock.
///
/// It outlives its manager while tokens and attachments refer to it, and then nobody asks it anything.
///
/// The form of every call: take what is needed under the lock; unlock; only then ask for a reconcile and deliver events;
/// and release what was loaded last, since a caller's `deinit` may take its time. No foreign code runs under the lock, the
/// release of a caller's object included.
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
        var isSteady: Bool {
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

        /// Who waits for this moment, if it is one of no tasks and no indicator, and the monitors know. Where they do not
        /// yet, whoever tells them tells the waiters next.
        mutating func takeWaiters() -> [Waiters.Continuation] {
            let isIdle = !registry.isBusy && !outputs.isVisible && outputs.hasEverybodyHeard
            guard isIdle, !waiters.isEmpty else { return [] }
            guard !events.isDelivered else { return waiters.takeAll() }
            events.append(waiters.makeAllDue())
            return []
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
        /// Whether the input is that whatever a sweep finds.
        let isCertain: Bool
        /// How often to poll; nil where no caller's object is tracked.
        let pollInterval: Duration?
        /// After how long opaque and counted tasks are long-running; nil where there are none, or nobody listens.
        let watchThreshold: Duration?
    }

    let state: Lock<State>
    let scheduler: any ActivityScheduler
    /// Whether the scheduler's time is the system's: then it need not be asked for.
    private let isOnSystemTime: Bool

    init(configuration: NetworkIndicatorManager.Configuration, scheduler: any ActivityScheduler) {
        self.scheduler = scheduler
        isOnSystemTime = scheduler is MainScheduler
        state = Lock(State(busyPeriod: BusyPeriod(at: Timestamp(scheduler.now)), configuration: configuration))
    }

    @inline(__always)
    var now: Timestamp { isOnSystemTime ? .now : schedulersNow }

    /// The time, or a little before, where nothing is decided by it.
    @inline(__always)
    var recently: Timestamp { isOnSystemTime ? .recent : schedulersNow }

    /// Not inlined, because values of unknown layout would make every caller's way longer.
    @inline(never)
    private var schedulersNow: Timestamp { Timestamp(scheduler.now) }

    // MARK: After unlocking

    @inline(__always)
    func perform(_ followUp: FollowUp?) {
        if let followUp { performNow(followUp) }
    }

    /// - Parameter leftovers: What was loaded or taken out under the lock. Its release can run a caller's `deinit`, which
    ///   must not hold the follow-up back.
    @inline(__always)
    func perform<Leftovers>(_ followUp: FollowUp?, beforeReleasing leftovers: Leftovers) {
        withExtendedLifetime(leftovers) { perform(followUp) }
    }

    @inline(never)
    private func performNow(_ followUp: FollowUp) {
        if let work = followUp.reconcile { scheduler.performOnMain(work) }
        if followUp.hasEvents { deliverEvents() }
        for waiter in followUp.waiters { waiter.resume() }
    }

    func requestReconcile() {
        if let work = state.withLock({ $0.requestReconcile() }) { scheduler.performOnMain(work) }
    }

    /// How many events a call tells the monitors of that came in while it told them of those that it found.
    private static let share = 256

    /// Tells the monitors, unless another thread is at it.
    ///
    /// Any call may find itself doing it for others, on the main thread, too. Where they add faster than the monitors
    /// hear, it does its share, and a thread of the system's goes on in its place: at once, so that all stays in order.
    func deliverEvents() {
        guard state.withLock({ $0.events.beginDelivery() }) else { return }
        deliverRound()
        var share = Self.share
        while share > 0 {
            let count = deliverRound(atMost: share)
            if count == 0 { return }
            share -= count
        }
        DispatchQueue.global().async { while self.deliverRound() > 0 {} }
    }

    /// - Returns: How much there was to deliver; zero where the delivery is over.
    @discardableResult
    private func deliverRound(atMost limit: Int = .max) -> Int {
        let batches = state.withLock { $0.events.takeBatches(atMost: limit) }
        for batch in batches { batch.deliver(of: self) }
        return batches.count
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

    // MARK: Callers' objects

    func begin(_ token: AnyObject, label: String?, fileID: StaticString, line: UInt) {
        let type: any Any.Type = type(of: token)
        guard type != NetworkTaskToken.self else {
            return reportMisuse(.foreignToken, type: type, fileID: fileID, line: line)
        }
        let now = self.now
        let (leftovers, followUp) = state.withLock { state in
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
        perform(followUp, beforeReleasing: leftovers)
    }

    /// - Parameter now: The time, once it is known to matter. Mostly it does not, and the clock is dearer than the lock.
    ///   (It is not read under the lock: the scheduler may be the caller's.)
    func finish(_ token: AnyObject, fileID: StaticString, line: UInt, at now: Timestamp? = nil) {
        let type: any Any.Type = type(of: token)
        if type == NetworkTaskToken.self {
            let token = unsafeDowncast(token, to: NetworkTaskToken.self)
            guard token.tracker === self else {
                return reportMisuse(.foreignToken, type: type, fileID: fileID, line: line)
            }
            guard !finishOpaque(token.task, of: token) else { return }
            return reportMisuse(.unknownToken, type: type, fileID: fileID, line: line)
        }
        let done: (TokenRegistry.Leftover, FollowUp?)? = state.withLock { state in
            if now == nil, state.isDownToOne { return nil }
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
        guard let (leftover, followUp) = done else { return finish(token, fileID: fileID, line: line, at: self.now) }
        perform(followUp, beforeReleasing: leftover)
    }

    // MARK: All tasks

    func reset() {
        let now = self.now
        let (old, followUp) = state.withLock { state in
            let old = state.registry.removeAll()
            state.events.append(resetOf: old)
            return (old, state.settle(at: now))
        }
        perform(followUp, beforeReleasing: old)
    }
}
