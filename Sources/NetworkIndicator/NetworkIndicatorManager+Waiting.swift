public import Foundation

extension NetworkIndicatorManager {
    /// Returns when no task is left, the indicator is off, and monitors have received every event.
    ///
    /// It doesn't return while any token is alive, so release or finish your own before you wait. While a caller waits,
    /// the manager polls at least every 100 ms. A monitor must not call it, because the call would wait for the monitor.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    public func waitUntilIdle() async throws { try await wait(timeout: nil) }

    /// Returns when no task is left, the indicator is off, and monitors have received every event. Throws at the
    /// timeout.
    ///
    /// ```swift
    /// try await manager.waitUntilIdle(timeout: .seconds(10))
    /// ```
    ///
    /// - Parameter timeout: The limit, measured on the clock of the manager's scheduler; zero to 100 years. A blocked
    ///   main thread delays it.
    /// - Complexity: At the timeout, O(*n* log *n*) on the caller's thread, where *n* is the number of tasks.
    /// - Throws: ``NetworkBusyError`` at the timeout; `CancellationError` when the calling task is cancelled.
    public func waitUntilIdle(timeout: Duration) async throws {
        try await wait(timeout: timeout.clamped(to: .zero ... .longest))
    }

    private func wait(timeout: Duration?) async throws {
        try Task.checkCancellation()
        let deadline = timeout.map { tracker.now + $0 }
        _ = activeTaskCount
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Never.self)
        // Turns set the timers for the deadline and for frequent polls.
        let id = tracker.change { state in
            (state.waiters.add(continuation, deadline: deadline), state.action(requestsTurn: true))
        }
        defer {
            let released = tracker.change { ($0.waiters.remove(id: id), $0.action(requestsTurn: true)) }
            withExtendedLifetime(released) {}
        }
        do {
            for try await _ in stream {}
        } catch is WaitTimeout {
            let error = NetworkBusyError(tasks: activeTasks)
            // The query may have detected the end of the last task.
            if !tracker.read(\.isIdle) { throw error }
        }
        try Task.checkCancellation()
    }
}

/// Ends the stream of a call whose time is over.
struct WaitTimeout: Error {}

/// The error of ``NetworkIndicatorManager/waitUntilIdle(timeout:)`` if the manager is not idle at the timeout.
///
/// ```swift
/// do {
///     try await manager.waitUntilIdle(timeout: .seconds(10))
/// } catch let error as NetworkBusyError {
///     print(error)  // names each task, its duration and its line
/// }
/// ```
public struct NetworkBusyError: LocalizedError, CustomStringConvertible {
    /// The tasks that are under way, oldest first.
    ///
    /// Empty if the call waited only for the indicator to go off, or for a monitor.
    public let tasks: [NetworkTaskInfo]

    init(tasks: [NetworkTaskInfo]) { self.tasks = tasks }

    /// One line for each task.
    public var description: String {
        guard !tasks.isEmpty else { return "no task is under way, but the indicator is still on or a monitor is busy" }
        let noun = tasks.count == 1 ? "task is" : "tasks are"
        return "\(tasks.count) \(noun) still under way:" + tasks.map { "\n  \($0)" }.joined()
    }

    public var errorDescription: String? { description }
}

/// The calls that wait until the manager is idle. The tracker's lock guards them; their streams are finished outside
/// the lock.
struct Waiters: Sendable {
    /// The stream of a call yields nothing. Finishing it is idempotent, and ends the call.
    typealias Continuation = AsyncThrowingStream<Never, any Error>.Continuation

    private(set) var calls: [UInt64: (continuation: Continuation, deadline: Timestamp?)] = [:]
    private var lastID: UInt64 = 0

    var isEmpty: Bool { calls.isEmpty }
    var nextDeadline: Timestamp? { calls.values.compactMap(\.deadline).min() }

    mutating func add(_ continuation: Continuation, deadline: Timestamp?) -> UInt64 {
        lastID += 1
        calls[lastID] = (continuation, deadline)
        return lastID
    }

    mutating func remove(id: UInt64) -> Continuation? { calls.removeValue(forKey: id)?.continuation }

    mutating func removeAll() -> [Continuation] {
        defer { calls = [:] }
        return calls.values.map(\.continuation)
    }

    mutating func removeExpired(at now: Timestamp) -> [Continuation] {
        calls.filter { $0.value.deadline.map { $0 <= now } ?? false }.keys.compactMap { remove(id: $0) }
    }
}
