/// The state that all threads share, behind one lock: the registry, the busy period, the events for monitors.
///
/// Tokens and attachments hold the tracker, so it may outlive its manager.
final class TaskTracker: Sendable {
    typealias MainWork = @MainActor @Sendable () -> Void

    let state: Lock<State>
    let scheduler: any ActivityScheduler

    init(configuration: NetworkIndicatorManager.Configuration, scheduler: any ActivityScheduler) {
        self.scheduler = scheduler
        state = Lock(State(busyPeriod: BusyPeriod(at: Timestamp(scheduler.now)), configuration: configuration))
    }

    var now: Timestamp { Timestamp(scheduler.now) }

    /// Changes the tasks under the lock, and then performs the deferred actions.
    ///
    /// - Parameter body: Returns what it loaded or removed. This is released last, outside the lock, because releasing
    ///   a caller's object can run foreign code, which may be slow.
    @discardableResult
    func change<R>(_ body: (inout State) -> R) -> R {
        let (result, needsUpdate) = state.withLock { (body(&$0), $0.needsUpdate) }
        if needsUpdate { update() }
        return result
    }

    // MARK: Weak tasks

    /// - Parameter reportsMisuse: Whether monitors are notified if the token is already a task.
    func begin(
        _ token: AnyObject, label: String?, origin: CallSite, reportsMisuse: Bool = true,
        while condition: TaskCondition? = nil
    ) {
        let type: any Any.Type = type(of: token)
        if type == NetworkTaskToken.self { return report(.foreignToken, type, origin) }
        let now = self.now
        change { state in
            let record = state.registry.makeRecord(label: label, tokenType: type, began: now, origin: origin)
            var examined: [TaskRegistry.Examined] = []
            switch state.registry.begin(token, record, while: condition) {
            case .began:
                state.events.append(.began(NetworkTaskInfo(record)))
            case .replaced(let stale):
                examined.append(.ended(stale))
                state.events.append(.ended(NetworkTaskInfo(stale.record), .deallocated))
                state.events.append(.began(NetworkTaskInfo(record)))
            case .alreadyBegan:
                if reportsMisuse { state.events.append(.misuse(NetworkTaskMisuse(.alreadyBegan, type, origin))) }
            }
            if state.registry.needsSweep || state.events.isMonitored {
                for _ in 0..<2 { if let next = state.examineNext() { examined.append(next) } }
            }
            return examined
        }
    }

    /// - Parameter reportsMisuse: Whether monitors are notified if the token is no task.
    func finish(_ token: AnyObject, origin: CallSite, reportsMisuse: Bool = true) {
        // The comparison of types avoids a cast of other tokens. A cast retains the token, which is slow if it has weak
        // references.
        if type(of: token) == NetworkTaskToken.self, let token = token as? NetworkTaskToken {
            if token.tracker !== self { return report(.foreignToken, NetworkTaskToken.self, origin) }
            if finish(token.task, of: token) == nil { report(.unknownToken, NetworkTaskToken.self, origin) }
            return
        }
        change { state in
            guard let (task, isDeallocated) = state.registry.finish(token, checksToken: state.events.isMonitored) else {
                if reportsMisuse {
                    state.events.append(.misuse(NetworkTaskMisuse(.unknownToken, type(of: token), origin)))
                }
                return WeakTask?.none
            }
            state.events.append(.ended(NetworkTaskInfo(task.record), isDeallocated ? .deallocated : .finished))
            return task
        }
    }

    // MARK: Explicit tasks

    /// - Parameter tokenType: `nil` for an increment of the activity count.
    @discardableResult
    func begin(tokenType: (any Any.Type)?, label: String?, origin: CallSite) -> ExplicitTasks.Handle {
        let now = self.now
        return change { state in
            let record = state.registry.makeRecord(label: label, tokenType: tokenType, began: now, origin: origin)
            state.events.append(.began(NetworkTaskInfo(record)))
            return state.registry.explicitTasks.insert(record)
        }
    }

    /// - Parameter token: The token of the task. It is marked as finished.
    /// - Returns: The record of the task, if it was under way.
    @discardableResult
    func finish(_ task: ExplicitTasks.Handle, of token: NetworkTaskToken? = nil) -> TaskRecord? {
        change { state in
            token?.isFinished = true
            let record = state.registry.explicitTasks.remove(task)
            if let record { state.events.append(.ended(NetworkTaskInfo(record), .finished)) }
            return record
        }
    }

    /// Finishes the latest increment of the activity count.
    func decrement(origin: CallSite) {
        change { state in
            let record = state.registry.explicitTasks.removeLatestIncrement()
            state.events.append(
                record.map { .ended(NetworkTaskInfo($0), .finished) }
                    ?? .misuse(NetworkTaskMisuse(.countBelowZero, nil, origin)))
            return record
        }
    }

    private func report(_ kind: NetworkTaskMisuse.Kind, _ type: (any Any.Type)?, _ origin: CallSite) {
        change { $0.events.append(.misuse(NetworkTaskMisuse(kind, type, origin))) }
    }

    // MARK: All tasks

    func reset() {
        change { state in
            let old = state.registry.removeAll()
            state.events.append(resetOf: old)
            return old
        }
    }
}
