public import Foundation

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
