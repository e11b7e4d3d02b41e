import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Reports one request's attempts to the manager, to observers of notifications, and to the caller.
struct RequestActivity: Sendable {
    let id = UUID()
    let request: URLRequest
    let manager: NetworkIndicatorManager
    let label: String?
    let origin: CallSite
    let events: EventRelay

    private var isTracked: Bool { request.url?.isNetworkUse != false }

    /// Keeps the indicator on while an attempt is made.
    func reporting<R>(_ attempt: Int, _ body: () async throws -> R) async throws -> R {
        let token = begin()
        post(.networkRequestDidStart, attempt, nil)
        events.beginAttempt(attempt)
        do {
            defer { events.endAttempt() }
            let result = try await body()
            token?.finish()
            post(.networkRequestDidFinish, attempt, nil)
            return result
        } catch {
            token?.finish()
            post(.networkRequestDidFinish, attempt, error)
            throw error
        }
    }

    private func begin() -> NetworkTaskToken? {
        guard isTracked else { return nil }
        return manager.beganNetworkTask(
            label: label ?? request.diagnosticName, fileID: origin.fileID, line: origin.line)
    }

    private func post(_ name: Notification.Name, _ attempt: Int, _ error: (any Error)?) {
        guard isTracked else { return }
        var userInfo: [String: Any] = [
            NetworkRequestNotification.requestKey: request,
            NetworkRequestNotification.attemptKey: attempt,
            NetworkRequestNotification.activityIDKey: id,
        ]
        userInfo[NetworkRequestNotification.errorKey] = error
        NotificationCenter.default.post(name: name, object: manager, userInfo: userInfo)
    }
}
