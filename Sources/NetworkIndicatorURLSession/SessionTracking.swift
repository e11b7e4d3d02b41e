import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tracks the tasks of a session that `URLSession.tracked` has created.
package struct SessionTracking: Sendable {
    /// Whether new tasks are tracked. The value is `false` while a call such as `trackedData(for:)` creates a task,
    /// because that call tracks its own attempts.
    @TaskLocal package static var isEnabled = true

    weak var manager: NetworkIndicatorManager?
    let isTracked: @Sendable (URLRequest) -> Bool
    let origin: CallSite

    func track(_ task: URLSessionTask) {
        guard Self.isEnabled, let manager, !(task is URLSessionWebSocketTask), !(task is URLSessionStreamTask),
            let request = task.readableRequest,
            request.url?.isNetworkUse != false, request.networkServiceType != .background, isTracked(request)
        else { return }
        manager.parkedTasks.track(task, label: request.diagnosticName, origin: origin)
    }

    func noteWaiting(_ task: URLSessionTask) {
        manager?.parkedTasks.noteWaiting(task, label: task.readableRequest?.diagnosticName, origin: origin)
    }

    /// Stops counting a task whose completion handler is about to run.
    func end(_ task: URLSessionTask) { manager?.parkedTasks.end(task, origin: origin) }
}
