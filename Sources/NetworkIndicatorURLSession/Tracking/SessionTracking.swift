import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which tasks of a session are tracked, and how.
struct SessionTracking: Sendable {
    /// `false` while a call such as `trackedData(for:)` creates a task, because the call does its own tracking.
    @TaskLocal static var isEnabled = true

    weak var manager: NetworkIndicatorManager?
    let isTracked: @Sendable (URLRequest) -> Bool
    let origin: CallSite

    /// Tracks a new task, unless it is excluded.
    func track(_ task: URLSessionTask) {
        guard let manager, Self.isEnabled, includes(task) else { return }
        task.tracked(by: manager, label: nil, origin: origin, parkedTasks: .shared)
    }

    /// Notes that a task waits for a network.
    func noteWaiting(_ task: URLSessionTask) {
        guard let manager, includes(task) else { return }
        let activity = TaskActivity(
            manager: manager, label: task.readableRequest?.diagnosticName, origin: origin, parkedTasks: .shared)
        activity.wait(task)
    }

    private func includes(_ task: URLSessionTask) -> Bool {
        guard !(task is URLSessionWebSocketTask), !(task is URLSessionStreamTask), let request = task.readableRequest
        else { return false }
        return request.url?.isNetworkUse != false && request.networkServiceType != .background && isTracked(request)
    }
}
