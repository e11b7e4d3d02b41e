import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

/// Tracks URLSession tasks. A *parked* task is suspended or waiting. It doesn't count, and a timer checks whether it
/// has started to use the network.
///
/// All other tracked tasks are tokens of the manager. A token's condition parks the task if the task is suspended or
/// waiting.
final class ParkedTasks: TaskSource {
    private enum Phase { case active, paused, over }

    // This type is a class, because copying a weak reference to an Objective-C object briefly retains the object.
    // Releasing the object while the lock is held could deallocate it. `@unchecked Sendable`: the lock of `ParkedTasks`
    // guards `lastCheck` and `isStale`. The other properties are assigned only in `init`.
    private final class Entry: @unchecked Sendable {
        private(set) weak var task: URLSessionTask?
        let activity: TaskActivity
        private let parked: SuspendingClock.Instant
        private var lastCheck: SuspendingClock.Instant
        var isStale = false

        init(_ task: URLSessionTask, _ activity: TaskActivity, at now: SuspendingClock.Instant) {
            self.task = task
            self.activity = activity
            (parked, lastCheck) = (now, now)
        }

        /// A wait can last for hours, so it is checked rarely, but often enough to find most downloads.
        func interval(at now: SuspendingClock.Instant, limit: Duration) -> Duration {
            if parked.duration(to: now) < frequentPeriod { return shortestInterval }
            return activity.wait == nil ? max(limit, shortestInterval) : waitInterval
        }

        func takeCheck(at now: SuspendingClock.Instant, limit: Duration) -> Bool {
            // The time between two firings of a repeating timer may be up to a fifth shorter than the timer's interval.
            let isDue = lastCheck.duration(to: now) >= interval(at: now, limit: limit) * 4 / 5
            if isDue { lastCheck = now }
            return isDue
        }
    }

    private struct State {
        // The system reuses addresses, so the entry for an address may belong to a deallocated task.
        var entries: [ObjectIdentifier: Entry] = [:]
        var interval: Duration?
        var resetCount = 0
        var pathFound: SuspendingClock.Instant?
        /// Exists only while a task waits for a network.
        var pathMonitor: PathMonitor?
    }

    private static let shortestInterval: Duration = .milliseconds(50)
    private static let frequentPeriod: Duration = .seconds(10)
    private static let waitInterval: Duration = .seconds(5)
    /// Except in a background session, a suspended task counts for this time after `track`, because callers usually
    /// resume it immediately.
    private static let timeToResume: Duration = .milliseconds(50)
    private static let timeToRespond: Duration = .seconds(10)

    // `nonisolated(unsafe)`: the reference is assigned only in `init`.
    nonisolated(unsafe) private weak var manager: NetworkIndicatorManager?
    private let scheduler: any ActivityScheduler
    private let paths: PathMonitor.Source?
    private let state = Lock(State())
    @MainActor private var timer: (timer: any ActivityTimer, interval: Duration)?

    init(
        of manager: NetworkIndicatorManager, _ scheduler: any ActivityScheduler,
        paths: PathMonitor.Source? = PathMonitor.system
    ) {
        self.manager = manager
        self.scheduler = scheduler
        self.paths = paths
    }

    deinit {
        if let timer { scheduler.performOnMain { timer.timer.cancel() } }
    }

    // MARK: Tasks

    func track(_ task: URLSessionTask, label: String?, origin: CallSite, isInBackground: Bool = false) {
        let isInBackground = isInBackground || URLSessionTask.isInBackgroundSession(type(of: task))
        let activity = activity(label: label, origin: origin, wait: isInBackground ? .backgroundSession : nil)
        switch phase(of: task, activity) {
        case .active:
            // If the entry of an earlier call remained, the next check would restore that call's label.
            remove(task, isStale: false)
            begin(task, activity)
        case .paused:
            // Otherwise, the condition of an earlier call could park the task again.
            end(task, origin: origin)
            park(task, activity)
        case .over: break
        }
    }

    func noteWaiting(_ task: URLSessionTask, label: String?, origin: CallSite) {
        guard end(task, origin: origin) else { return }
        park(task, activity(label: label, origin: origin, wait: .connectivity))
        guard let paths, state.withLock({ $0.pathMonitor == nil }) else { return }
        let monitor = PathMonitor(paths) { [weak self] in self?.pathWasFound() }
        state.withLock { state in
            if state.pathMonitor == nil { state.pathMonitor = monitor }
        }
        withExtendedLifetime(monitor) {}
    }

    @discardableResult
    func end(_ task: URLSessionTask, origin: CallSite) -> Bool {
        let isParked = remove(task, isStale: true)
        return manager?.tracker.finish(task, origin: origin, reportsMisuse: false) ?? false || isParked
    }

    private func activity(label: String?, origin: CallSite, wait: TaskActivity.Wait?) -> TaskActivity {
        TaskActivity(
            label: label, origin: origin, wait: wait, began: scheduler.now, resetCount: state.withLock(\.resetCount))
    }

    private func begin(_ task: URLSessionTask, _ activity: TaskActivity) {
        manager?.tracker.begin(
            task, label: activity.label, origin: activity.origin, reportsMisuse: false
        ) { [weak self] task in
            guard let self, let task = task as? URLSessionTask else { return false }
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
        guard manager != nil, activity.resetCount == resetCount else { return .over }
        let isFound = pathFound.map { activity.began < $0 && now < $0 + Self.timeToRespond } ?? false
        switch (task.state, activity.wait) {
        case (.running, nil): return .active
        case (.running, .connectivity?) where isFound: return .active
        case (.running, _?): return task.hasTransferredData ? .active : .paused
        case (.suspended, nil) where now < activity.began + Self.timeToResume: return .active
        case (.suspended, _): return .paused
        default: return .over
        }
    }

    // MARK: Checks

    private func check(all: Bool = false) {
        let (now, limit) = (scheduler.now, manager?.completionCheckInterval ?? .zero)
        let entries = state.withLock { $0.entries.filter { $1.takeCheck(at: now, limit: limit) || all } }
        for (key, entry) in entries {
            // Accessing a task can run code outside this package, so the lock isn't held here.
            let task = entry.task
            let phase = task.map { self.phase(of: $0, entry.activity) } ?? .over
            if phase == .paused { continue }
            if phase == .active, let task { begin(task, entry.activity) }
            let isStale = state.withLock { state in
                if state.entries[key] === entry { state.entries[key] = nil }
                return entry.isStale
            }
            // Another thread may have ended or parked the task before this check called `begin`. In that case, the task
            // must not count.
            if isStale, let task {
                manager?.tracker.finish(task, origin: entry.activity.origin, reportsMisuse: false)
            }
        }
        let unused = state.withLock { state in
            let isUsed = state.entries.values.contains { $0.activity.wait == .connectivity }
            return isUsed ? nil : state.pathMonitor.take()
        }
        withExtendedLifetime(unused) {}
        setTimer { state in state.entries.values.lazy.map { $0.interval(at: now, limit: limit) }.min() }
    }

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
