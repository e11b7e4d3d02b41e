#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// Works around faults in Foundation on Linux. When a fault is fixed, replace its workaround with the code in
/// `Transport.swift`.
///
/// URLSession on Linux never delivers a task's response or data to `URLSessionTask.delegate`, and reuses an HTTP/2
/// connection that no longer responds (no issue has been filed for either fault). A sibling of the caller's session
/// therefore sends the requests, and is replaced after a timeout or a lost connection. All new requests of a session
/// use the same sibling, so that connections are reused and limited as usual.
final class Transport: Sendable {
    let session: SiblingSession
    let queue = BoundedDelegateQueue()
    // Each session has its own delegate, because task identifiers are unique only within a session.
    let delegate = ExchangeDelegate()
    let settings: SessionSettings

    init(of principal: URLSession) {
        // `configuration` returns the session's own object, which must not be changed.
        let configuration = principal.configuration.copy() as? URLSessionConfiguration ?? .default
        settings = SessionSettings(configuration)
        // URLSession adds these headers to every request, so after a redirect, other hosts would receive them.
        configuration.httpAdditionalHeaders = nil
        // URLSession traps if a cancelled task fails before the cache has responded on another thread.
        configuration.urlCache = nil
        // For every request, URLSession converts this timeout to `Int`, and traps if the conversion fails.
        configuration.timeoutIntervalForRequest = 60
        session = SiblingSession(configuration, delegate, queue)
    }

    // `retire(from:)` doesn't invalidate the session, because creating a task in an invalidated session traps.
    deinit { session.finishTasksAndInvalidate() }

    private struct Entry {
        weak var principal: URLSession?
        let transport: Transport
    }

    private static let entries = Lock<[ObjectIdentifier: Entry]>([:])

    /// This method also releases the siblings of deallocated sessions, because the siblings' open connections could
    /// exhaust the file descriptors.
    static func of(_ principal: URLSession) -> Transport {
        let (transport, principals, orphans) = entries.withLock { entries in
            let principals = entries.mapValues(\.principal)
            let orphans = principals.filter { $0.value == nil }.map { entries.removeValue(forKey: $0.key) }
            let key = ObjectIdentifier(principal)
            // Copying a configuration on several threads at once corrupts memory, so the copy is made while the lock is
            // held.
            let transport = entries[key]?.transport ?? Transport(of: principal)
            entries[key] = Entry(principal: principal, transport: transport)
            return (transport, principals, orphans)
        }
        // `principals` and `orphans` can hold the last references to sessions, which must not be deallocated while the
        // lock is held.
        withExtendedLifetime((principals, orphans)) {}
        return transport
    }

    /// Current requests continue in the retired sibling.
    func retire(from principal: URLSession) {
        let retired = Self.entries.withLock { entries in
            let key = ObjectIdentifier(principal)
            return entries[key]?.transport === self ? entries.removeValue(forKey: key) : nil
        }
        withExtendedLifetime(retired) {}
    }

    func add(_ task: URLSessionTask, _ exchange: Exchange) {
        delegate.exchanges.withLock { $0[task.taskIdentifier] = exchange }
        session.add(task)
    }

    func remove(_ task: URLSessionTask) { session.remove(task) }

    func cancel(_ task: URLSessionTask) { session.cancel(task) }

    var readingTime: ExchangeClock.Instant { queue.readingTime }
    var deliveryTime: ExchangeClock.Instant { queue.deliveryTime }
}

// MARK: Small faults, which have no type of their own

extension Transport {
    /// The descriptions of URLSession's errors aren't localized. Most of them are libcurl's English messages.
    static let describesErrors = false

    /// URLSession traps if a file upload ends while URLSession reads the file. An upload of a directory hangs until the
    /// timeout.
    static let readsFiles = false

    /// See ``ExchangeClock``.
    static let replacesTimeout = true

    /// URLSession traps if an FTP server sends a line that isn't UTF-8.
    static let supportsFTP = false

    /// URLSession delivers a proxy's response to `CONNECT` before the response to an `https` request (no issue has been
    /// filed). A response therefore counts only when its data, its completion or a challenge follows. Another response
    /// replaces it, and an error drops it.
    static let mayDeliverProxyResponses = true

    /// URLSession reports a FIN before the response as -1011, and a FIN or an incomplete chunk within the body as -1.
    static let brokenConnectionCodes: Set<URLError.Code> = [.unknown, .badServerResponse]

    /// If URLSession can't parse a header line (swift-corelibs-foundation #5527) or decode a body, it reports -1 with a
    /// misleading description from libcurl. If a response has no status line, for example because the rest of an
    /// earlier response precedes it, URLSession reports an unsupported URL.
    static func corrected(_ error: URLError) -> URLError {
        guard [.unknown, .unsupportedURL].contains(error.code),
            let detail = error.userInfo[NSLocalizedDescriptionKey] as? String
        else { return error }
        let url = error.userInfo[NSURLErrorFailingURLErrorKey] as? URL
        if let status = detail.firstMatch(of: /(?:CONNECT tunnel failed, response|Received HTTP code) (\d+)/)?.1 {
            let code = status == "407" ? URLError.userAuthenticationRequired : .cannotConnectToHost
            let reason = "the proxy \(Proxy.name) refused the connection with status \(status)"
            return URLError(code, reason: reason, url: url, underlying: error)
        }
        let (code, reason): (URLError.Code, String)
        if detail.contains("HTTP/0.9") {
            (code, reason) = (.badServerResponse, "the response has no status line")
        } else if detail == "Failed writing header" {
            (code, reason) = (.cannotParseResponse, "Foundation can't read a header line of the response")
        } else if detail.contains(/writing received data|encoded stream|content (un)?encoding|Transfer-Encoding/) {
            (code, reason) = (.cannotDecodeContentData, "the body can't be decoded")
        } else {
            return error
        }
        return URLError(code, reason: "\(reason) (\(detail))", url: url, underlying: error)
    }

    /// The timeout has an upper limit, because `ExchangeClock` can't represent infinity. A timeout that isn't positive
    /// becomes the default of 60 s.
    static func corrected(_ request: URLRequest, with headers: [String: String]) -> URLRequest {
        var request = request
        request.timeoutInterval = request.timeoutInterval > 0 ? min(request.timeoutInterval, 1e9) : 60
        for (name, value) in headers where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }

    static func isRefusedByRequest(_ error: URLError) -> Bool { false }
}

private enum Proxy {
    /// libcurl reads the proxy of `https` requests from these variables of the environment.
    static var name: String {
        let environment = ProcessInfo.processInfo.environment
        let value = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].lazy.compactMap { environment[$0] }.first
        return value?.firstMatch(of: /^(?:\w+:\/\/)?(?:.*@)?([^\/]+)/).map { String($0.1) } ?? ""
    }
}
#endif
