import Dispatch
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

/// The tracked tasks that are not running. One timer detects when they are resumed.
///
/// The timer has its own queue, so that it fires while the main thread or the cooperative thread pool is blocked.
final class ParkedTasks: Sendable {
    private struct Key: Hashable {
        let task: ObjectIdentifier
        let manager: ObjectIdentifier
    }

    /// This is a class, because copying a weak reference loads the object on Apple's systems.
    // `@unchecked Sendable`: the lock guards the variables. `task` never changes.
    private final class Entry: @unchecked Sendable {
        private(set) weak var task: URLSessionTask?
        let activity: TaskActivity
        let parked: Duration
        var nextCheck: Duration
        /// Whether the task runs, but waits for a network.
        let isWaiting: Bool

        init(_ task: URLSessionTask, _ activity: TaskActivity, parked: Duration, isWaiting: Bool) {
            self.task = task
            self.activity = activity
            self.parked = parked
            self.isWaiting = isWaiting
            nextCheck = ParkedTasks.firstCheck(after: parked)
        }
    }

    // `@unchecked Sendable`: the lock guards it. Dispatch doesn't declare timers as `Sendable`.
    private struct State: @unchecked Sendable {
        /// The system reuses addresses, so a key doesn't identify a task. An entry is valid only for the task that it
        /// refers to.
        var entries: [Key: Entry] = [:]
        /// When the timer fires first, or fired first. It repeats at the short interval. `nil` if it is stopped.
        var wakeup: Duration?
    }

    static let shared = ParkedTasks()

    /// How often a task is checked at first. All checks happen at multiples of this interval, so that one wake-up
    /// serves many tasks.
    static let shortInterval: Duration = .milliseconds(50)
    /// How long a task is checked at the short interval.
    static let shortIntervalPeriod: Duration = .seconds(10)

    let now: @Sendable () -> Duration
    private let state = Lock(State())
    /// Makes the timer fire after a delay, and then at each short interval. `nil` stops it.
    private let setTimer: @Sendable (Duration?) -> Void

    /// Creates a collection that a timer checks.
    init() {
        let start = SuspendingClock.now
        now = { start.duration(to: .now) }
        // `nonisolated(unsafe)`: the lock guards it, because only code under the lock sets the timer.
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(
            queue: DispatchQueue(label: "NetworkIndicator.ParkedTasks"))
        setTimer = { delay in
            timer.schedule(
                deadline: delay.map { .now() + $0 / .seconds(1) } ?? .distantFuture,
                repeating: Self.shortInterval / .seconds(1), leeway: .milliseconds(2))
        }
        timer.setEventHandler { [weak self] in self?.check() }
        timer.activate()
    }

    /// Creates a collection that only ``check()`` checks, for tests.
    init(now: @escaping @Sendable () -> Duration, setTimer: @escaping @Sendable (Duration?) -> Void = { _ in }) {
        self.now = now
        self.setTimer = setTimer
    }

    /// How many tasks are parked, including those that were deallocated since the last check.
    var count: Int { state.withLock { $0.entries.count } }

    /// When the next check is due, or `nil` if no task is parked.
    var nextCheck: Duration? { state.withLock { $0.wakeup } }

    /// Adds a task that doesn't run, or that waits for a network.
    func park(_ task: URLSessionTask, _ activity: TaskActivity, isWaiting: Bool = false) {
        guard let manager = activity.manager else { return }
        manager.add(self)
        let now = now()
        let key = Key(task: ObjectIdentifier(task), manager: ObjectIdentifier(manager))
        let entry = Entry(task, activity, parked: now, isWaiting: isWaiting)
        let replaced = state.withLock { state in
            arm(&state, for: entry.nextCheck, at: now)
            return state.entries.updateValue(entry, forKey: key)
        }
        withExtendedLifetime(replaced) {}
    }

    /// Begins the tasks that run, and removes those that have ended.
    func check() {
        let now = now()
        check(at: now) { $1.nextCheck <= now }
    }

    /// Loads tasks and reads their state outside the lock, because both can run foreign code.
    private func check(at now: Duration, where isChecked: (Key, Entry) -> Bool) {
        let checked = state.withLock { state in
            state.entries.filter { isChecked($0.key, $0.value) }
        }
        let checks = checked.map { key, entry in
            (key: key, entry: entry, next: entry.task.flatMap { nextCheck(of: $0, entry, at: now) })
        }
        state.withLock { state in
            // A task that was parked again meanwhile has another entry.
            for (key, entry, next) in checks where state.entries[key] === entry {
                if let next { entry.nextCheck = next } else { state.entries[key] = nil }
            }
            rearm(&state, at: now)
        }
    }

    /// Begins the manager's task for a URLSession task that runs.
    ///
    /// - Returns: When to check the task again; `nil` if it is no longer suspended.
    private func nextCheck(of task: URLSessionTask, _ entry: Entry, at now: Duration) -> Duration? {
        guard let manager = entry.activity.manager else { return nil }
        switch task.state {
        case .suspended,
            .running where entry.isWaiting && !task.showsSignOfLife:
            let isNew = now - entry.parked < Self.shortIntervalPeriod
            let interval = isNew ? .zero : manager.completionCheckInterval - Self.shortInterval
            return max(Self.firstCheck(after: now), Self.firstCheck(after: now + interval))
        case .running:
            entry.activity.begin(task)
            return nil
        default:
            return nil
        }
    }

    private static func firstCheck(after time: Duration) -> Duration {
        shortInterval * Int64((time / shortInterval).rounded(.down) + 1)
    }

    /// Makes the timer fire at `time` or before.
    private func arm(_ state: inout State, for time: Duration, at now: Duration) {
        guard state.wakeup.map({ time < $0 }) ?? true else { return }
        state.wakeup = time
        setTimer(max(.zero, time - now))
    }

    /// Makes the timer fire when the next check is due.
    ///
    /// The timer repeats, because arming it again would wake another thread each time.
    private func rearm(_ state: inout State, at now: Duration) {
        let next = state.entries.values.lazy.map(\.nextCheck).min()
        if let next, let wakeup = state.wakeup, wakeup <= next, next - now <= Self.shortInterval { return }
        state.wakeup = nil
        setTimer(nil)
        if let next { arm(&state, for: next, at: now) }
    }
}

extension URLSessionTask {
    /// Whether the task has sent or received anything.
    fileprivate var showsSignOfLife: Bool {
        countOfBytesSent > 0 || countOfBytesReceived > 0 || response != nil
    }
}

extension ParkedTasks: TaskSource {
    /// Begins the tasks that run. A query must not wait for the next check.
    func beginTasks(of manager: NetworkIndicatorManager) {
        // A manager is not loaded under the lock, because this could be its last reference.
        let id = ObjectIdentifier(manager)
        check(at: now()) { key, _ in key.manager == id }
    }

    func forgetTasks(of manager: NetworkIndicatorManager) {
        let id = ObjectIdentifier(manager)
        let released = state.withLock { state in
            let kept = state.entries.filter { $0.key.manager != id }
            defer { state.entries = kept }
            return state.entries
        }
        withExtendedLifetime(released) {}
    }
}
