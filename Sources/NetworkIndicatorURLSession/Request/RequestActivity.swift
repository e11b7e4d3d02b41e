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
    /// The token of every attempt; `nil` for one of each attempt's own.
    let token: (any AnyObject & Sendable)?
    let label: String?
    let origin: CallSite
    let onEvent: (@Sendable (AttemptEvent) -> Void)?

    private var isTracked: Bool { request.url?.isNetworkUse != false }

    /// Keeps the indicator on while an attempt is made.
    func reporting<R>(_ attempt: Int, _ body: () async throws -> R) async throws -> R {
        let token = begin()
        post(.networkRequestDidStart, attempt, nil)
        onEvent?(.started(attempt: attempt))
        do {
            let result = try await body()
            end(token)
            post(.networkRequestDidFinish, attempt, nil)
            return result
        } catch {
            end(token)
            post(.networkRequestDidFinish, attempt, error)
            throw error
        }
    }

    private func begin() -> AnyObject? {
        guard isTracked else { return nil }
        let label = label ?? request.url?.withoutCredentials
        guard let token else {
            return manager.beganNetworkTask(label: label, fileID: origin.fileID, line: origin.line)
        }
        manager.beganNetworkTask(withToken: token, label: label, fileID: origin.fileID, line: origin.line)
        return token
    }

    private func end(_ token: AnyObject?) {
        if let token { manager.finishedNetworkTask(forToken: token) }
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

/// The line of the caller, for diagnostics.
struct CallSite: Sendable {
    let fileID: StaticString
    let line: UInt
}
