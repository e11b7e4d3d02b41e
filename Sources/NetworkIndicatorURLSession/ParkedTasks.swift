import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

/// Holds a manager's URLSession tasks while they are suspended or wait for a network. A timer checks whether they use
/// the network.
///
/// While a task uses the network, it is a token of the manager, not a parked task. The manager evaluates the token's
/// condition, which parks a paused task. The timer runs on the main actor. If a check releases the last reference to a
/// task, the task is therefore deallocated on the main actor.
final class ParkedTasks: TaskSource {
    private enum Phase { case active, paused, over }

    /// A parked task. This type is a class, because on Apple's platforms, copying a struct with a weak reference
    /// briefly retains the object.
    // `@unchecked Sendable`: the lock of `ParkedTasks` guards `lastCheck` and `isStale`. The other properties never
    // change.
    private final class Entry: @unchecked Sendable {
        private(set) weak var task: URLSessionTask?
        let activity: TaskActivity
        private let parked: SuspendingClock.Instant
        private var lastCheck: SuspendingClock.Instant
        /// Whether the task has ended or was parked again. A check must then not begin the task because of this entry.
        var isStale = false

        init(_ task: URLSessionTask, _ activity: TaskActivity, at now: SuspendingClock.Instant) {
            self.task = task
            self.activity = activity
            (parked, lastCheck) = (now, now)
        }

        /// Returns the interval between checks of the task.
        ///
        /// - Parameter limit: The interval for a task that has been suspended for `resumePeriod` or longer.
        func interval(at now: SuspendingClock.Instant, limit: Duration) -> Duration {
            let age = parked.duration(to: now)
            if activity.wait == nil { return age < resumePeriod ? shortestInterval : max(limit, shortestInterval) }
            // A wait can last for hours, so the checks back off. The interval is at most an eighth of the wait so far,
            // or the shortest interval if that is longer.
            var interval = shortestInterval
            while interval < longestInterval, interval * 16 <= age { interval *= 2 }
            return interval
        }

        /// Records a check of the task if one is due. The tolerance of a fifth of the interval allows for a timer that
        /// fires a tenth of its interval early.
        ///
        /// - Returns: Whether a check is due.
        func takeCheck(at now: SuspendingClock.Instant, limit: Duration) -> Bool {
            let isDue = lastCheck.duration(to: now) >= interval(at: now, limit: limit) * 4 / 5
            if isDue { lastCheck = now }
            return isDue
        }
    }

    private struct State {
        /// The entries, with the addresses of their tasks as keys. Addresses are reused, so an entry may belong to a
        /// deallocated task that had the same address.
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The interval of the timer, or `nil` if no task needs one.
        var interval: Duration?
        var resetCount = 0
        /// The time at which a network last became available.
        var pathFound: SuspendingClock.Instant?
    }

    private static let shortestInterval: Duration = .milliseconds(50)
    /// The interval between checks of a task that waits for a network doubles until it reaches this value.
    private static let longestInterval = shortestInterval * 1024
    /// The time for which a suspended task is checked at the shortest interval.
    private static let resumePeriod: Duration = .seconds(10)
    /// The time for which a suspended task counts after `tracked()`, so that no check parks the task before its
    /// `resume()`.
    private static let timeToResume: Duration = .milliseconds(50)
    /// The time for which a waiting task counts after a network became available, even if no response or body data
    /// arrives.
    private static let timeToRespond: Duration = .seconds(10)

    // `nonisolated(unsafe)`: the reference never changes.
    nonisolated(unsafe) private weak var manager: NetworkIndicatorManager?
    private let scheduler: any ActivityScheduler
    private let state = Lock(State())
    @MainActor private var timer: (timer: any ActivityTimer, interval: Duration)?
    #if canImport(Network)
    private let pathMonitor = PathMonitor()
    #endif

    init(of manager: NetworkIndicatorManager, _ scheduler: any ActivityScheduler) {
        self.manager = manager
        self.scheduler = scheduler
    }

    deinit {
        if let timer { scheduler.performOnMain { timer.timer.cancel() } }
    }

    // MARK: Tasks

    /// Begins a task that uses the network, or parks the task until it uses the network. Idempotent. Any thread.
    func track(_ task: URLSessionTask, label: String?, origin: CallSite) {
        let wait = URLSessionTask.isInBackgroundSession(type(of: task)) ? TaskActivity.Wait.backgroundSession : nil
        let activity = activity(label: label, origin: origin, wait: wait)
        switch phase(of: task, activity) {
        case .active:
            // If an entry of an earlier call remained, the next check would restore that call's label.
            remove(task, isStale: false)
            begin(task, activity)
        case .paused: park(task, activity)
        case .over: break
        }
    }

    /// Parks a task that waits for connectivity, if the task is tracked. Any thread.
    func noteWaiting(_ task: URLSessionTask, label: String?, origin: CallSite) {
        guard end(task, origin: origin) else { return }
        park(task, activity(label: label, origin: origin, wait: .connectivity))
        #if canImport(Network)
        pathMonitor.start { [weak self] in self?.pathWasFound() }
        #endif
    }

    /// Stops counting a task that URLSession has not completed yet. Any thread.
    ///
    /// - Returns: Whether the task was tracked.
    @discardableResult
    func end(_ task: URLSessionTask, origin: CallSite) -> Bool {
        let isParked = remove(task, isStale: true)
        return manager?.finishedNetworkTask(ifToken: task, origin: origin) ?? false || isParked
    }

    private func activity(label: String?, origin: CallSite, wait: TaskActivity.Wait?) -> TaskActivity {
        TaskActivity(
            label: label, origin: origin, wait: wait, began: scheduler.now, resetCount: state.withLock(\.resetCount))
    }

    private func begin(_ task: URLSessionTask, _ activity: TaskActivity) {
        manager?.beganNetworkTask(
            withToken: task, label: activity.label, origin: activity.origin, reportsMisuse: false
        ) { [weak self] task in
            guard let self else { return false }
            let phase = self.phase(of: task, activity)
            if phase == .paused { park(task, activity) }
            return phase == .active
        }
    }

    private func park(_ task: URLSessionTask, _ activity: TaskActivity) {
        let entry = Entry(task, activity, at: scheduler.now)
        let replaced = state.withLock { state in
            let replaced = state.entries.updateValue(entry, forKey: ObjectIdentifier(task))
            replaced?.isStale = true
            return replaced
        }
        withExtendedLifetime(replaced) {}
        setTimer { _ in Self.shortestInterval }
    }

    /// - Parameter isStale: Whether to prevent a concurrent check from beginning the task.
    /// - Returns: Whether the task was parked.
    @discardableResult
    private func remove(_ task: URLSessionTask, isStale: Bool) -> Bool {
        let removed = state.withLock { state in
            let removed = state.entries.removeValue(forKey: ObjectIdentifier(task))
            if isStale { removed?.isStale = true }
            return removed
        }
        return removed != nil
    }

    private func phase(of task: URLSessionTask, _ activity: TaskActivity) -> Phase {
        let now = scheduler.now
        let (resetCount, pathFound) = state.withLock { ($0.resetCount, $0.pathFound) }
        guard activity.resetCount == resetCount else { return .over }
        let isFound = pathFound.map { activity.began < $0 && now < $0 + Self.timeToRespond } ?? false
        switch (task.state, activity.wait) {
        case (.running, nil): return .active
        case (.running, .connectivity?) where isFound: return .active
        case (.running, _?): return task.showsSignOfLife ? .active : .paused
        case (.suspended, nil) where now < activity.began + Self.timeToResume: return .active
        case (.suspended, _): return .paused
        default: return .over
        }
    }

    // MARK: Checks

    /// Begins the parked tasks that now use the network. Removes their entries, and those of completed or deallocated
    /// tasks.
    private func check(all: Bool = false) {
        let (now, limit) = (scheduler.now, manager?.completionCheckInterval ?? .zero)
        let entries = state.withLock { $0.entries.filter { $1.takeCheck(at: now, limit: limit) || all } }
        for (key, entry) in entries {
            // The lock isn't held here, because retaining a task and reading its state can run code outside this
            // package.
            let task = entry.task
            let phase = task.map { self.phase(of: $0, entry.activity) } ?? .over
            if phase == .paused { continue }
            if phase == .active, let task { begin(task, entry.activity) }
            let isStale = state.withLock { state in
                if state.entries[key] === entry { state.entries[key] = nil }
                return entry.isStale
            }
            // Another thread has ended or parked the task meanwhile. This check may have begun it afterwards.
            if isStale, let task { manager?.finishedNetworkTask(ifToken: task, origin: entry.activity.origin) }
        }
        setTimer { state in state.entries.values.lazy.map { $0.interval(at: now, limit: limit) }.min() }
    }

    /// Sets the timer's interval to the closure's result. If the result is `nil`, the timer stops.
    private func setTimer(_ makeInterval: (State) -> Duration?) {
        let isChanged = state.withLock { state in
            let interval = makeInterval(state)
            defer { state.interval = interval }
            return interval != state.interval
        }
        if isChanged { scheduler.performOnMain { [weak self] in self?.resetTimer() } }
    }

    @MainActor private func resetTimer() {
        let interval = state.withLock(\.interval)
        guard interval != timer?.interval else { return }
        timer?.timer.cancel()
        timer = interval.map {
            (scheduler.schedule(at: scheduler.now + $0, repeatingEvery: $0) { [weak self] in self?.check() }, $0)
        }
    }

    /// Begins the tasks that wait for connectivity. A task without a response or body data within `timeToRespond` is
    /// parked again.
    func pathWasFound() {
        let now = scheduler.now
        state.withLock { $0.pathFound = now }
        scheduler.performOnMain { [weak self] in self?.check(all: true) }
    }

    // MARK: Calls of the manager

    func beginTasks() { check(all: true) }

    func forgetTasks() {
        let released = state.withLock { state in
            defer { state.entries = [:] }
            state.resetCount += 1
            return state.entries
        }
        withExtendedLifetime(released) {}
    }

    func configurationChanged() { scheduler.performOnMain { [weak self] in self?.check() } }
}

extension NetworkIndicatorManager {
    var parkedTasks: ParkedTasks { source { ParkedTasks(of: self, $0) } }
}
