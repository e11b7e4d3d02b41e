#if !canImport(FoundationNetworking)
import Foundation
import NetworkIndicator

final class Transport: Sendable {
    let session: URLSession
    let delegate = ExchangeDelegate()
    let settings: SessionSettings

    private init(_ session: URLSession) {
        self.session = session
        settings = SessionSettings(session.configuration)
    }

    static func of(_ session: URLSession) -> Transport { Transport(session) }

    func retire(from session: URLSession) {}

    func add(_ task: URLSessionTask, _ exchange: Exchange) {
        delegate.exchanges.withLock { $0[task.taskIdentifier] = exchange }
        task.delegate = delegate
    }

    func remove(_ task: URLSessionTask) {}

    func cancel(_ task: URLSessionTask) { task.cancel() }

    var readingTime: ExchangeClock.Instant { .now }
    var deliveryTime: ExchangeClock.Instant { .now }
}

// MARK: What URLSession does correctly

extension Transport {
    static let describesErrors = true
    static let readsFiles = true
    static let replacesTimeout = false
    static let supportsFTP = true
    static let mayDeliverProxyResponses = false
    static let brokenConnectionCodes: Set<URLError.Code> = []

    static func corrected(_ error: URLError) -> URLError { error }

    static func corrected(_ request: URLRequest, with headers: [String: String]) -> URLRequest { request }

    static func isRefusedByRequest(_ error: URLError) -> Bool { error.networkUnavailableReason != nil }
}
#endif
