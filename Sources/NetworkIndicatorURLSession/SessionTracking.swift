import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

package struct SessionTracking: Sendable {
    /// `withoutTracking` sets this to `false`, as do `trackedData(for:)` and similar methods while they create a task,
    /// because they track each attempt themselves.
    @TaskLocal package static var isEnabled = true

    weak var manager: NetworkIndicatorManager?
    var isInBackground = false
    let isTracked: @Sendable (URLRequest) -> Bool
    let origin: CallSite

    func track(_ task: URLSessionTask) {
        guard Self.isEnabled, let manager, !(task is URLSessionWebSocketTask), !(task is URLSessionStreamTask),
            let request = task.readableRequest,
            request.url?.isNetworkUse != false, request.networkServiceType != .background, isTracked(request)
        else { return }
        manager.parkedTasks.track(
            task, label: request.diagnosticName, origin: origin, isInBackground: isInBackground)
    }

    func noteWaiting(_ task: URLSessionTask) {
        manager?.parkedTasks.noteWaiting(task, label: task.readableRequest?.diagnosticName, origin: origin)
    }

    func end(_ task: URLSessionTask) { manager?.parkedTasks.end(task, origin: origin) }
}
