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
    private let attempt = Lock(Attempt())

    private struct Attempt {
        var isUnderWay = false
        var token: NetworkTaskToken?
    }

    init(
        request: URLRequest, manager: NetworkIndicatorManager, label: String?, origin: CallSite, events: EventRelay
    ) {
        self.request = request
        self.manager = manager
        self.label = label
        self.origin = origin
        self.events = events
    }

    private var isTracked: Bool { request.url?.isNetworkUse != false }

    /// Keeps the indicator on while an attempt is made.
    func reporting<R>(_ attempt: Int, _ body: () async throws -> R) async throws -> R {
        begin()
        post(.networkRequestDidStart, attempt, nil)
        events.beginAttempt(attempt)
        do {
            defer { events.endAttempt() }
            let result = try await body()
            end()
            post(.networkRequestDidFinish, attempt, nil)
            return result
        } catch {
            end()
            post(.networkRequestDidFinish, attempt, error)
            throw error
        }
    }

    /// Turns the indicator off while the system waits for a network, and on again with the first sign of life.
    func noteConnectivity(isWaiting: Bool) {
        if isWaiting {
            attempt.withLock { $0.token.take() }?.finish()
            events.post(.waitingForConnectivity(error: URLError(.notConnectedToInternet)))
        } else {
            setToken { $0.isUnderWay && $0.token == nil }
        }
    }

    private func begin() {
        setToken { attempt in
            attempt.isUnderWay = true
            return true
        }
    }

    private func end() {
        let token = attempt.withLock { attempt in
            attempt.isUnderWay = false
            return attempt.token.take()
        }
        token?.finish()
    }

    private func setToken(if isNeeded: (inout Attempt) -> Bool) {
        guard isTracked else { return }
        let token = manager.beganNetworkTask(
            label: label ?? request.diagnosticName, fileID: origin.fileID, line: origin.line)
        let isUsed = attempt.withLock { attempt in
            guard isNeeded(&attempt) else { return false }
            attempt.token = token
            return true
        }
        if !isUsed { token.finish() }
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
