import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tells the world of one request's attempts: the manager, whoever observes notifications, and the caller.
struct RequestActivity: Sendable {
    let id = UUID()
    let request: URLRequest
    let manager: NetworkIndicatorManager
    let onEvent: (@Sendable (AttemptEvent) -> Void)?

    /// What is read from the disk or from the URL itself is not network use.
    private var isTracked: Bool {
        let scheme = request.url?.scheme?.lowercased()
        return scheme != "file" && scheme != "data"
    }

    /// Keeps the indicator on while an attempt is made.
    func reporting<R>(_ attempt: Int, _ body: () async throws -> R) async throws -> R {
        let token = isTracked ? manager.beganNetworkTask(label: request.url?.absoluteString) : nil
        post(.networkRequestDidStart, attempt, nil)
        onEvent?(.started(attempt: attempt))
        do {
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
