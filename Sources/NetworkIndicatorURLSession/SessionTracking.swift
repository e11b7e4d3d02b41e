import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which tasks of a session are tracked, and how.
package struct SessionTracking: Sendable {
    /// `false` while a call such as `trackedData(for:)` creates a task, because the call does its own tracking.
    @TaskLocal package static var isEnabled = true

    weak var manager: NetworkIndicatorManager?
    let isTracked: @Sendable (URLRequest) -> Bool
    let origin: CallSite

    /// Tracks a new task, unless it is excluded.
    func track(_ task: URLSessionTask) {
        if Self.isEnabled { activity(of: task)?.begin(task) }
    }

    /// Notes that a task waits for a network.
    func noteWaiting(_ task: URLSessionTask) { activity(of: task)?.wait(task) }

    private func activity(of task: URLSessionTask) -> TaskActivity? {
        guard let manager, !(task is URLSessionWebSocketTask), !(task is URLSessionStreamTask),
            let request = task.readableRequest,
            request.url?.isNetworkUse != false && request.networkServiceType != .background && isTracked(request)
        else { return nil }
        return TaskActivity(manager: manager, label: request.diagnosticName, origin: origin)
    }
}
