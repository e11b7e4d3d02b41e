import Dispatch
import Observation

/// What the caller of ``ActivityTracker/change(_:)`` does on its own thread after unlocking. Most calls need no action.
final class Action {
    var requestsTurn = false
    var deliversEvents = false
    var waiters: [Waiter] = []
}

/// Opaque tokens and attachments retain the tracker, so the tracker may outlive its manager. The turn after the end of
/// the manager cancels the timers, which retain the tracker, too.
package final class ActivityTracker: Sendable, Observable {
    let state: Lock<ManagerState>
    let scheduler: any ActivityScheduler
    let registrar = ObservationRegistrar()
    @MainActor var timers: [Turn.Timer: any ActivityTimer] = [:]
    /// While this is `true`, nested turns and properties such as `activeTasks` don't evaluate conditions, to prevent
    /// infinite recursion.
    @MainActor var isAskingConditions = false

    init(configuration: NetworkIndicatorManager.Configuration, scheduler: any ActivityScheduler) {
        self.scheduler = scheduler
        state = Lock(ManagerState(configuration: configuration, scheduler: scheduler))
    }

    var now: Timestamp { Timestamp(scheduler.now) }
    var isVisible: Bool { read { $0.visibility.isVisible } }

    /// The trackers whose visibility has been observed, or that have warned that it hasn't, in debug builds.
    static let observed = Lock<Set<ObjectIdentifier>>([])

    private static var warns: Bool { _isDebugAssertConfiguration() }

    @discardableResult
    func noteObserver() -> Bool {
        Self.warns && Self.observed.withLock { $0.insert(ObjectIdentifier(self)).inserted }
    }

    /// Only debug builds warn, and only about managers whose time no test controls.
    func warn(_ text: String) { if Self.warns, scheduler is MainScheduler { TextMonitor.writeToStandardError(text) } }

    func read<R>(_ body: (ManagerState) -> R) -> R { state.withLock { body($0) } }

    /// `body` must not deallocate a caller's object, because the object's `deinit` may call the manager. A closure that
    /// removes objects usually returns them, so that the caller of `change` releases them after unlocking.
    @inline(__always) @discardableResult
    func change<R>(_ body: (inout ManagerState) -> (R, Action?)) -> R {
        let (result, action) = state.withLock(body)
        if let action { perform(action) }
        return result
    }

    func change(_ body: (inout ManagerState) -> Action?) { change { ((), body(&$0)) } }

    func perform(_ action: Action) {
        if action.requestsTurn { scheduler.performOnMain { self.turn() } }
        if action.deliversEvents { deliverEvents() }
        for waiter in action.waiters { waiter.signal.send() }
    }

    // MARK: Tasks

    package func begin(
        _ token: AnyObject, label: String?, origin: CallSite, reportsMisuse: Bool = true,
        while condition: TaskCondition? = nil
    ) {
        let type: any Any.Type = type(of: token)
        if type == NetworkTaskToken.self { return change { $0.report(.foreignToken, type, origin) } }
        let released = change { state in
            let task = state.tasks.makeRecord(label: label, tokenType: type, origin: origin, at: state.now)
            return state.begin(token, task, reportsMisuse: reportsMisuse, while: condition)
        }
        withExtendedLifetime(released) {}
    }

    @discardableResult
    package func finish(_ token: AnyObject, origin: CallSite, reportsMisuse: Bool = true) -> Bool {
        // For callers' objects, comparing the types first avoids the cast, which would retain the object. Retaining an
        // object to which weak references exist is slow.
        if type(of: token) == NetworkTaskToken.self, let token = token as? NetworkTaskToken {
            let isOwn = token.tracker === self
            if isOwn, token.finishTask() { return true }
            let kind: NetworkTaskMisuse.Kind = isOwn ? .unknownToken : .foreignToken
            if reportsMisuse { change { $0.report(kind, NetworkTaskToken.self, origin) } }
            return false
        }
        let released = change { $0.finish(token, origin: origin, reportsMisuse: reportsMisuse) }
        return released != nil
    }

    func begin(tokenType: (any Any.Type)?, label: String?, origin: CallSite) -> ExplicitTasks.Handle {
        change { $0.begin($0.tasks.makeRecord(label: label, tokenType: tokenType, origin: origin, at: $0.now)) }
    }

    // MARK: Events

    /// If events arrive faster than monitors handle them, a background thread continues the delivery, in the same
    /// order.
    private func deliverEvents(atMost limit: Int = 256) {
        var count = 0
        while count < limit {
            let events = change { $0.nextEvents(atMost: limit - count) }
            if events.isEmpty { return }
            for (event, monitors) in events {
                for case .monitor(let monitor) in monitors.values.map(\.content) { monitor.receive(event) }
            }
            count += events.count
        }
        DispatchQueue.global().async { self.deliverEvents(atMost: .max) }
    }
}
