public import Foundation

extension NetworkIndicatorManager {
    /// Waits until no task is left, the indicator is off, and monitors have received every event.
    ///
    /// This method doesn't wait for work that has no task yet, such as a queued operation whose task begins when the
    /// operation starts. The method waits for every task, so release or finish your own tokens first. While a caller
    /// waits, the time between two polls for deallocated objects is at most 100 ms.
    ///
    /// - Throws: `CancellationError` if the calling Swift task is cancelled.
    public func waitUntilIdle() async throws { try await waitUntilIdle(timeout: .longest) }

    /// Waits until the manager is idle, or throws an error when the timeout expires.
    ///
    /// Apart from the timeout, this method behaves like ``waitUntilIdle()``.
    ///
    /// - Parameter timeout: The longest time to wait, measured by the clock of the manager's scheduler. The method
    ///   clamps this value to the range zero to 100 years. A blocked main thread delays the timeout.
    /// - Complexity: When the timeout expires, O(*n* log *n*) on the main actor, where *n* is the number of tasks.
    /// - Throws: ``NetworkBusyError`` if the manager isn't idle when the timeout expires; `CancellationError` if the
    ///   calling Swift task is cancelled.
    public func waitUntilIdle(timeout: Duration) async throws {
        let waiter = Waiter(deadline: tracker.now + timeout.clamped(to: .zero ... .longest))
        // The requested turn asks the sources, and sets the timers for the deadline and for frequent polls.
        tracker.change { state in
            state.waiters[waiter.id] = waiter
            state.asksSources = !state.sources.isEmpty
            return state.action(requestsTurn: true)
        }
        defer { tracker.change { $0.leave(waiter) } }
        try await waiter.signal.wait()
    }

    /// The number of calls that are waiting, or zero while a turn that may set their timers is pending.
    package var settledWaiterCount: Int { tracker.read { $0.isTurnRequested ? 0 : $0.waiters.count } }
}

struct Waiter: Identifiable, Sendable {
    let signal = Signal()
    let deadline: Timestamp

    var id: ObjectIdentifier { ObjectIdentifier(signal) }
}

/// The error that ``NetworkIndicatorManager/waitUntilIdle(timeout:)`` throws if the manager isn't idle when the timeout
/// expires.
///
/// ```swift
/// do {
///     try await manager.waitUntilIdle(timeout: .seconds(10))
/// } catch let error as NetworkBusyError {
///     print(error)  // names each task, its duration and its line
/// }
/// ```
public struct NetworkBusyError: LocalizedError, CustomStringConvertible {
    /// The tasks that were under way when the timeout expired, sorted by ``NetworkTaskInfo/id``.
    ///
    /// The array is empty if the call was waiting only for the indicator to turn off or for monitors to receive events.
    public let tasks: [NetworkTaskInfo]

    /// A description that lists each task on its own line.
    public var description: String {
        guard !tasks.isEmpty else { return "no task is under way, but the indicator is still on or a monitor is busy" }
        return "tasks still under way: \(tasks.count)" + tasks.map { "\n  \($0)" }.joined()
    }

    public var errorDescription: String? { description }
}
