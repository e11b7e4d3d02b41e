#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// What makes the requests of a caller's session: on Linux, a session beside it. See `SiblingSessions`.
///
/// It is invalidated only after its last user has released it, because creating a task in an invalidated session traps.
final class Transport: Sendable {
    let session: URLSession
    let queue = BoundedDelegateQueue()
    // Each session has a delegate of its own, because task identifiers are unique only in a session.
    let delegate = ExchangeDelegate()
    let settings: SessionSettings
    private let cancellations = TaskCancellations()

    /// - Parameter principal: The caller's session.
    init(of principal: URLSession) {
        // The property isn't a copy, but the object that the caller's session uses.
        let configuration = principal.configuration.copy() as? URLSessionConfiguration ?? .default
        settings = SessionSettings(configuration)
        // URLSession would send them, even `Authorization`, to other hosts after a redirect.
        configuration.httpAdditionalHeaders = nil
        // The cache responds on another thread, and URLSession completes a cancellation only afterwards. It traps if the
        // task has failed meanwhile. Nothing is lost, because URLSession never stores responses of HTTP.
        configuration.urlCache = nil
        // URLSession traps at a timeout that isn't an integer. Requests have timeouts of their own.
        configuration.timeoutIntervalForRequest = 60
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    deinit { session.finishTasksAndInvalidate() }

    static func of(_ session: URLSession) -> Transport { SiblingSessions.shared.sibling(of: session) }

    /// Makes the next request use new connections. A retry could otherwise use an HTTP/2 connection that no longer
    /// responds.
    func retire(from session: URLSession) { SiblingSessions.shared.retire(self, of: session) }

    func add(_ task: URLSessionTask, _ exchange: Exchange) { delegate.add(task, exchange) }

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

    /// URLSession traps if an upload of a file ends while it reads the file, and waits for the timeout if the file is a
    /// directory. So this package reads the file.
    static let readsFiles = false

    /// URLSession's timeout also expires while reading is suspended, because a disk or a handler is slow. So
    /// ``ExchangeClock`` replaces it.
    static let replacesTimeout = true

    /// URLSession traps at lines of an FTP server that aren't UTF-8.
    static let supportsFTP = false

    /// URLSession reports a FIN or an incomplete chunk inside the body as -1, and a FIN before the response as -1011.
    static let brokenConnectionCodes: Set<URLError.Code> = [.unknown, .badServerResponse]

    /// URLSession reports responses that it can't read as -1, like lost connections, and with words of libcurl that name
    /// another cause (swift-corelibs-foundation #5527).
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

    /// URLSession drops the fraction of a timeout, so that 0.5 s ends the request at once, and traps if the timeout isn't
    /// an integer. It gets the session's headers from here; see ``init(of:)``.
    static func corrected(_ request: URLRequest, with headers: [String: String]) -> URLRequest {
        var request = request
        let timeout = request.timeoutInterval
        request.timeoutInterval = timeout.isNaN ? 60 : min(max(1, timeout.rounded(.up)), 1e9)
        for (name, value) in headers where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }

    /// URLSession asks for credentials after the body. If the body doesn't end in time, this response is the response.
    static func mayAskForCredentials(after status: Int) -> Bool { status == 401 }

    static func isRefusedByRequest(_ error: URLError) -> Bool { false }
}
#endif
