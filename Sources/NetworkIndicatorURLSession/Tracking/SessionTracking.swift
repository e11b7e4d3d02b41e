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
        guard Self.isEnabled, let manager, !(task is URLSessionWebSocketTask), !(task is URLSessionStreamTask),
            let request = task.readableRequest, request.networkServiceType != .background, isTracked(request)
        else { return }
        task.tracked(by: manager, label: nil, origin: origin, parkedTasks: .shared)
    }
}
