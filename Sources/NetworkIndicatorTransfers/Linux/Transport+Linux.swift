#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// Sends the requests of a caller's session. On Linux, a sibling session sends them; see `SiblingSessions`.
///
/// The sibling session is invalidated only after its last user has released it, because creating a task in an
/// invalidated session traps.
final class Transport: Sendable {
    let session: URLSession
    let queue = BoundedDelegateQueue()
    // Each session has its own delegate, because task identifiers are unique only within a session.
    let delegate = ExchangeDelegate()
    let settings: SessionSettings
    private let cancellations = TaskCancellations()

    /// - Parameter principal: The caller's session.
    init(of principal: URLSession) {
        // `configuration` returns the object that the caller's session uses, so it must be copied.
        let configuration = principal.configuration.copy() as? URLSessionConfiguration ?? .default
        settings = SessionSettings(configuration)
        // After a redirect, URLSession would send these headers, even `Authorization`, to other hosts.
        configuration.httpAdditionalHeaders = nil
        // The cache responds on another thread, and URLSession completes a cancellation only after the cache has
        // responded. If the task fails in between, URLSession traps. Disabling the cache has no other effect, because
        // URLSession never stores responses of HTTP.
        configuration.urlCache = nil
        // URLSession traps at a timeout that isn't an integer. Each request has its own timeout.
        configuration.timeoutIntervalForRequest = 60
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    deinit { session.finishTasksAndInvalidate() }

    static func of(_ session: URLSession) -> Transport { SiblingSessions.shared.sibling(of: session) }

    /// Creates new connections for the next request. A retry could otherwise use an HTTP/2 connection that no longer
    /// responds.
    func retire(from session: URLSession) { SiblingSessions.shared.retire(self, of: session) }

    /// Registers the exchange that receives the delegate calls for a task.
    func add(_ task: URLSessionTask, _ exchange: Exchange) {
        delegate.exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    func cancel(_ task: URLSessionTask) {
        cancellations.cancel(task, on: queue) { [delegate] task in
            delegate.exchanges.withLock { $0[task.taskIdentifier] != nil }
        }
    }

    var readingTime: ExchangeClock.Instant { queue.readingTime }
    var deliveryTime: ExchangeClock.Instant { queue.deliveryTime }
}

// MARK: Small faults, which have no type of their own

extension Transport {
    /// URLSession's errors have no localized descriptions.
    static let describesErrors = false

    /// URLSession traps if a file upload ends while URLSession reads the file. If the file is a directory, URLSession
    /// waits for the timeout. Therefore this package reads the file.
    static let readsFiles = false

    /// URLSession's timeout also expires while a slow disk or handler suspends reading. Therefore ``ExchangeClock``
    /// replaces the timeout.
    static let replacesTimeout = true

    /// URLSession traps if an FTP server sends a line that isn't UTF-8.
    static let supportsFTP = false

    /// URLSession reports a FIN or an incomplete chunk within the body as -1. It reports a FIN before the response as
    /// -1011.
    static let brokenConnectionCodes: Set<URLError.Code> = [.unknown, .badServerResponse]

    /// URLSession reports responses that it can't parse as -1, the code for lost connections. The description comes
    /// from libcurl and names another cause (swift-corelibs-foundation #5527).
    static func corrected(_ error: URLError) -> URLError {
        guard error.code == .unknown, let detail = error.userInfo[NSLocalizedDescriptionKey] as? String else {
            return error
        }
        let (code, reason): (URLError.Code, String)
        if detail == "Failed writing header" {
            (code, reason) = (.cannotParseResponse, "Foundation can't read a header line of the response")
        } else if detail.hasPrefix("Failed writing received data") {
            (code, reason) = (.cannotDecodeContentData, "the compressed body is followed by other data")
        } else if detail.contains("content encoding") || detail.contains("content unencoding") {
            (code, reason) = (.cannotDecodeContentData, "the compressed body can't be decoded")
        } else {
            return error
        }
        let url = error.userInfo[NSURLErrorFailingURLErrorKey] as? URL
        return URLError(code, reason: "\(reason) (\(detail))", url: url, underlying: error)
    }

    /// Returns the request with a whole number of seconds as its timeout, and with the session's headers. URLSession
    /// drops a timeout's fraction, so 0.5 s would end the request at once, or it traps. For the headers, see
    /// ``init(of:)``.
    static func corrected(_ request: URLRequest, with headers: [String: String]) -> URLRequest {
        var request = request
        let timeout = request.timeoutInterval
        request.timeoutInterval = timeout.isNaN ? 60 : min(max(1, timeout.rounded(.up)), 1e9)
        for (name, value) in headers where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }

    /// Whether URLSession may ask for credentials after a response with this status. URLSession asks after the body. If
    /// the body doesn't end in time, the call returns this response.
    static func mayAskForCredentials(after status: Int) -> Bool { status == 401 }

    static func isRefusedByRequest(_ error: URLError) -> Bool { false }
}
#endif
