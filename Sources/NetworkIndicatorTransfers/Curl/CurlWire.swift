#if canImport(FoundationNetworking)
import CLibcurl
import Foundation
import FoundationNetworking
import NetworkIndicator

/// Sends the requests of an exchange with libcurl, by the settings of the caller's session. It follows redirects
/// with new transfers, and the delegate of the session decides on them. libcurl answers challenges.
final class CurlWire: Wire {
    private struct State {
        var client: (any WireClient)?
        /// The last transfer, even if it has ended, for example while the delegate decides on a redirect.
        var transfer: CurlTransfer?
        var hasReceived = false
        var isCancelled = false
    }

    let session: URLSession
    private let state = Lock(State())
    private static let placeholders = URLSession(configuration: .ephemeral)

    /// Whether the requests must not use an open connection, which may no longer respond.
    let isFresh: Bool

    init(_ session: URLSession, isFresh: Bool) {
        self.session = session
        self.isFresh = isFresh
    }

    // MARK: Wire

    func start(_ request: URLRequest, _ body: RequestBody, for client: any WireClient) {
        endTransfer(next: client)
        send(request, body)
    }

    func cancel() { endTransfer(next: nil) }

    /// - Parameter client: The client of the next transfer, or `nil` if there is none.
    private func endTransfer(next client: (any WireClient)?) {
        // The earlier client must not be released while the lock is held.
        let (transfer, _) = state.withLock { state in
            defer { state.client = state.isCancelled ? nil : client }
            if client == nil { state.isCancelled = true }
            return (state.transfer.take(), state.client)
        }
        if let transfer, !transfer.hasEnded { transfer.engine.submit(.remove(transfer)) }
    }

    var silence: Duration? {
        state.withLock(\.transfer).flatMap { $0.silence(until: $0.engine.latestReading) }
    }

    var hasReceived: Bool { state.withLock(\.hasReceived) }

    func noteReceived() { state.withLock { $0.hasReceived = true } }

    // MARK: Transfers

    private func send(_ request: URLRequest, _ body: RequestBody, redirects: Int = 0) {
        switch body {
        case .ofRequest where request.httpBodyStream == nil, .data: read(request, body, redirects)
        // Reading can block, and must not delay other calls.
        default: DispatchQueue(label: "NetworkIndicator.CurlWire").async { self.read(request, body, redirects) }
        }
    }

    private func read(_ request: URLRequest, _ body: RequestBody, _ redirects: Int) {
        do throws(URLError) { try add(request, UploadBody.of(request, body), redirects) } catch { fail(error) }
    }

    private func fail(_ error: URLError) { state.withLock(\.client)?.receive(.completed(nil, error)) }

    private func add(_ request: URLRequest, _ upload: UploadBody?, _ redirects: Int) throws(URLError) {
        // The delegate may have changed the request that follows a redirect.
        if let error = request.unusable { throw error }
        guard let engine = CurlEngine.use(for: session) else {
            let reason = "no file descriptor or thread is free; close files, or raise the limits (ulimit -n, -u)"
            throw URLError(.unknown, reason: reason, url: request.url)
        }
        let transfer = CurlTransfer(request, upload, self, engine, redirects)
        // The caller's data must not be released while the lock is held.
        let replaced = state.withLock { state in
            defer { if !state.isCancelled { state.transfer = transfer } }
            return state.transfer
        }
        withExtendedLifetime(replaced) {}
        guard let client = client(of: transfer) else { return }
        // If the call ends before this line, the engine ignores the transfer.
        engine.submit(.add(transfer))
        client.receive(.connecting)
    }

    func client(of transfer: CurlTransfer) -> (any WireClient)? {
        state.withLock { $0.transfer === transfer ? $0.client : nil }
    }

    func headerLines(of request: URLRequest, hasBody: Bool, receivesFile: Bool) -> [String] {
        // libcurl knows the length.
        let fields = (request.allHTTPHeaderFields ?? [:]).filter { $0.key.lowercased() != "content-length" }
        // A semicolon sends an empty header.
        var lines = fields.map { $1.isEmpty ? "\($0);" : "\($0): \($1)" }
        func setDefault(_ name: String, _ value: String) {
            if request.value(forHTTPHeaderField: name) == nil { lines.append("\(name): \(value)") }
        }
        // Without a value, this line removes libcurl's own `Expect`, after which it would wait for a `100 Continue`.
        setDefault("Expect", "")
        setDefault("User-Agent", "\(ProcessInfo.processInfo.processName) \(Self.version)")
        if receivesFile { setDefault("Accept-Encoding", "identity") }
        if hasBody, request.httpMethod == "POST" { setDefault("Content-Type", "application/x-www-form-urlencoded") }
        return lines
    }

    /// For example `libcurl/7.88.1`.
    private static let version = String(cString: ni_curl_version()).prefix { $0 != " " }

    /// libcurl itself sends the user info of a URL, and responds to challenges, so the realm doesn't count.
    func credential(for request: URLRequest) -> URLCredential? {
        guard let url = request.url, url.user == nil, request.value(forHTTPHeaderField: "Authorization") == nil else {
            return nil
        }
        let methods = [
            NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
        ]
        // On Linux, protection spaces are never equal, so the storage's own lookups find nothing.
        let spaces = session.configuration.urlCredentialStorage?.allCredentials.lazy.filter { space, _ in
            let origin = "\(space.protocol ?? "")://\(space.host):\(space.port)".lowercased()
            return !space.isProxy() && origin == url.origin && methods.contains(space.authenticationMethod)
        }
        return spaces?.flatMap(\.value).min { $0.key < $1.key }?.value
    }

    // MARK: Ends

    func end(_ transfer: CurlTransfer, _ result: Result<HTTPURLResponse, URLError>) {
        switch result {
        case .success(let response): decide(transfer.redirect, after: transfer, response)
        case .failure(let error): client(of: transfer)?.receive(.completed(nil, error))
        }
    }

    private func follow(_ next: URLRequest?, after transfer: CurlTransfer, _ response: HTTPURLResponse) {
        // Only the first decision counts.
        guard let client = client(of: transfer) else { return }
        guard let next else { return client.receive(.completed(response, nil)) }
        let redirects = transfer.redirects + 1
        if redirects > 20 {
            return fail(URLError(.httpTooManyRedirects, reason: "more than 20 redirects", url: next.url))
        }
        // The delegate can have changed the method.
        let isSame = next.httpMethod == transfer.request.httpMethod
        if isSame, !transfer.request.becomesGet(after: response.statusCode) {
            do throws(URLError) { try add(next, transfer.upload, redirects) } catch { fail(error) }
        } else {
            send(next, .ofRequest, redirects: redirects)
        }
    }

    /// Asks the delegate on the session's queue. Meanwhile, no timeout applies.
    private func decide(_ next: URLRequest?, after transfer: CurlTransfer, _ response: HTTPURLResponse) {
        guard let next, let delegate = session.delegate as? any URLSessionTaskDelegate else {
            return follow(next, after: transfer, response)
        }
        session.delegateQueue.addOperation { [self] in
            guard client(of: transfer) != nil else { return }
            // Represents the request, and is never resumed.
            let task = Self.placeholders.dataTask(with: transfer.request)
            delegate.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: next) {
                self.follow($0, after: transfer, response)
            }
            // Otherwise, its session would retain it.
            task.cancel()
        }
    }
}
#endif
