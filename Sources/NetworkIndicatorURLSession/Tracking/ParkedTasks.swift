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

    private struct Entry {
        weak var task: URLSessionTask?
        let activity: TaskActivity
        let id: UInt64
        let parked: Duration
        var nextCheck: Duration
        /// Whether the manager still counts the task.
        var isCounted: Bool
        /// Whether the last check found the task running, and began it.
        var hasBegun = false
    }

    private struct State {
        /// The system reuses addresses, so a key doesn't identify a task. An entry is valid only for the task that it
        /// refers to.
        var entries: [Key: Entry] = [:]
        var lastID: UInt64 = 0
        /// When the timer fires.
        var wakeup: Duration?
        /// `nil` in tests.
        var timer: (any DispatchSourceTimer)?
    }

    private enum Verdict {
        case remove
        case keep(nextCheck: Duration, hasBegun: Bool)
    }

    static let shared = ParkedTasks(clock: SuspendingClock())

    /// How often a task is checked at first. All checks happen at multiples of this interval, so that one wake-up
    /// serves many tasks.
    static let shortInterval: Duration = .milliseconds(50)
    /// How long a task is checked at the short interval.
    static let shortIntervalPeriod: Duration = .seconds(10)

    let now: @Sendable () -> Duration
    private let state = Lock(State())

    /// Creates a collection that a timer checks.
    init(clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "NetworkIndicator.ParkedTasks"))
        timer.setEventHandler { [weak self] in self?.check() }
        timer.activate()
        state.withLock { $0.timer = timer }
    }

    /// Creates a collection that only ``check()`` checks, for tests.
    init(now: @escaping @Sendable () -> Duration) {
        self.now = now
    }

    /// How many tasks are parked, including those that were deallocated since the last check.
    var count: Int { state.withLock { $0.entries.count } }

    /// When the next check is due, or `nil` if no task is parked.
    var nextCheck: Duration? { state.withLock { $0.wakeup } }

    /// Adds a task that doesn't run.
    ///
    /// - Parameter isCounted: Whether the manager still counts the task until the next check.
    func park(_ task: URLSessionTask, _ activity: TaskActivity, isCounted: Bool) {
        guard let manager = activity.manager else { return }
        let now = now()
        let key = Key(task: ObjectIdentifier(task), manager: ObjectIdentifier(manager))
        state.withLock { state in
            state.lastID += 1
            let entry = Entry(
                task: task, activity: activity, id: state.lastID, parked: now,
                nextCheck: Self.firstCheck(after: now), isCounted: isCounted)
            state.entries[key] = entry
            arm(&state, for: entry.nextCheck, at: now)
        }
    }

    /// Begins the tasks that run, and removes those that have ended.
    func check() {
        let now = now()
        let due = state.withLock { state in
            state.entries.filter { $0.value.nextCheck <= now }.map { (key: $0, entry: $1, task: $1.task) }
        }
        let verdicts = due.map { key, entry, task in
            (key: key, id: entry.id, verdict: task.map { verdict(on: $0, entry, at: now) } ?? .remove)
        }
        state.withLock { state in
            // A task that was parked again meanwhile has another entry.
            for (key, id, verdict) in verdicts where state.entries[key]?.id == id {
                switch verdict {
                case .remove:
                    state.entries[key] = nil
                case .keep(let nextCheck, let hasBegun):
                    state.entries[key]?.nextCheck = nextCheck
                    state.entries[key]?.hasBegun = hasBegun
                    state.entries[key]?.isCounted = false
                }
            }
            rearm(&state, at: now)
        }
        // The tasks of these managers should end now, not at the next poll. Counting the tasks calls their conditions.
        let managers = due.filter(\.entry.isCounted).compactMap(\.entry.activity.manager)
        for manager in Dictionary(managers.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { $1 }).values {
            _ = manager.activeTaskCount
        }
    }

    private func verdict(on task: URLSessionTask, _ entry: Entry, at now: Duration) -> Verdict {
        guard let manager = entry.activity.manager else { return .remove }
        let soon = Self.firstCheck(after: now)
        switch task.state {
        case .suspended:
            let isNew = now - entry.parked < Self.shortIntervalPeriod
            let interval = isNew ? .zero : manager.completionCheckInterval - Self.shortInterval
            return .keep(nextCheck: max(soon, Self.firstCheck(after: now + interval)), hasBegun: false)
        case .running:
            entry.activity.begin(task)
            // The task is begun twice, because at the first begin the manager may just be ending it.
            return entry.hasBegun ? .remove : .keep(nextCheck: soon, hasBegun: true)
        default:
            return .remove
        }
    }

    private static func firstCheck(after time: Duration) -> Duration {
        shortInterval * Int64((time / shortInterval).rounded(.down) + 1)
    }

    /// Makes the timer fire at `time` or before.
    private func arm(_ state: inout State, for time: Duration, at now: Duration) {
        guard state.wakeup.map({ time < $0 }) ?? true else { return }
        state.wakeup = time
        let deadline = DispatchTime.now() + max(.zero, time - now) / .seconds(1)
        state.timer?.schedule(deadline: deadline, repeating: Self.shortInterval / .seconds(1), leeway: .milliseconds(2))
    }

    /// Makes the timer fire when the next check is due.
    ///
    /// The timer repeats, because arming it again would wake another thread each time.
    private func rearm(_ state: inout State, at now: Duration) {
        let next = state.entries.values.lazy.map(\.nextCheck).min()
        if let next, next - now <= Self.shortInterval {
            state.wakeup = next
        } else {
            state.wakeup = nil
            state.timer?.schedule(deadline: .distantFuture)
            if let next { arm(&state, for: next, at: now) }
        }
    }
}
