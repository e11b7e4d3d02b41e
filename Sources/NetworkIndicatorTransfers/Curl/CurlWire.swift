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
        var transfer: CurlTransfer?
        /// `false` after the transfer's end, for example while the delegate decides on a redirect.
        var isRunning = false
        var redirects = 0
        var hasReceived = false
        var isCancelled = false
    }

    let session: URLSession
    private let configuration: URLSessionConfiguration
    private let state = Lock(State())
    private static let placeholders = URLSession(configuration: .ephemeral)

    /// Whether the requests must not use an open connection, which may no longer respond.
    let isFresh: Bool

    init(_ session: URLSession, isFresh: Bool) {
        (self.session, self.isFresh) = (session, isFresh)
        configuration = session.configuration
    }

    // MARK: Wire

    func start(_ request: URLRequest, _ body: RequestBody, for client: any WireClient) {
        drop { state in
            state.redirects = 0
            if !state.isCancelled { state.client = client }
        }
        send(request, body)
    }

    func cancel() {
        let client = drop { state in
            state.isCancelled = true
            return state.client.take()
        }
        withExtendedLifetime(client) {}
    }

    /// Ends the current transfer.
    private func drop<Value>(_ change: (inout State) -> Value) -> Value {
        let (value, transfer, isRunning) = state.withLock { state in
            defer { state.isRunning = false }
            return (change(&state), state.transfer.take(), state.isRunning)
        }
        if let transfer, isRunning { transfer.engine.remove(transfer) }
        return value
    }

    var silence: Duration? {
        guard let transfer = state.withLock({ $0.isRunning ? $0.transfer : nil }) else { return nil }
        return transfer.silence(until: transfer.engine.latestReading)
    }

    var hasReceived: Bool { state.withLock(\.hasReceived) }

    func noteReceived() { state.withLock { $0.hasReceived = true } }

    // MARK: Transfers

    private func send(_ request: URLRequest, _ body: RequestBody) {
        switch body {
        case .ofRequest where request.httpBodyStream == nil, .data: read(request, body)
        // Reading can block, and must not delay other calls.
        default: DispatchQueue(label: "NetworkIndicator.CurlWire").async { self.read(request, body) }
        }
    }

    private func read(_ request: URLRequest, _ body: RequestBody) {
        do throws(URLError) { try add(request, UploadBody.of(request, body)) } catch { fail(error) }
    }

    private func fail(_ error: URLError) { state.withLock(\.client)?.receive(.completed(nil, error)) }

    private func add(_ request: URLRequest, _ upload: UploadBody?) {
        do throws(URLError) {
            // The delegate may have changed the request that follows a redirect.
            if let error = request.unusable { throw error }
            guard let engine = CurlEngine.use(for: session) else {
                let reason = "no file descriptor or thread is free; close files, or raise the limits (ulimit -n, -u)"
                throw URLError(.unknown, reason: reason, url: request.url)
            }
            let transfer = CurlTransfer(request, upload, self, engine)
            // The caller's data must not be released while the lock is held.
            let (isOpen, replaced) = state.withLock { state -> (Bool, CurlTransfer?) in
                if state.isCancelled { return (false, nil) }
                defer { (state.transfer, state.isRunning) = (transfer, true) }
                return (true, state.transfer)
            }
            withExtendedLifetime(replaced) {}
            // If the call ends before this line, the engine ignores the transfer.
            if isOpen { engine.add(transfer) }
            client(of: transfer)?.receive(.connecting)
        } catch {
            fail(error)
        }
    }

    func client(of transfer: CurlTransfer) -> (any WireClient)? {
        state.withLock { $0.transfer === transfer ? $0.client : nil }
    }

    func headerLines(of request: URLRequest, hasBody: Bool, receivesFile: Bool) -> [String] {
        var fields = request.allHTTPHeaderFields ?? [:]
        func setDefault(_ name: String, _ value: String?) {
            if request.value(forHTTPHeaderField: name) == nil { fields[name] = value }
        }
        setDefault("User-Agent", "\(ProcessInfo.processInfo.processName) \(Self.version)")
        if receivesFile { setDefault("Accept-Encoding", "identity") }
        if hasBody, request.httpMethod == "POST" { setDefault("Content-Type", "application/x-www-form-urlencoded") }
        // libcurl knows the length, and would wait for a `100 Continue`.
        fields = fields.filter { $0.key.lowercased() != "content-length" }
        setDefault("Expect", "")
        return fields.map { name, value in
            // A name with a colon and no value removes libcurl's own header. A semicolon sends an empty header.
            return value.isEmpty && name != "Expect" ? "\(name);" : "\(name): \(value)"
        }
    }

    /// For example `libcurl/7.88.1`.
    private static let version = String(cString: ni_curl_version()).prefix { $0 != " " }

    func cookies(of request: URLRequest) -> CurlCookies? { CurlCookies(request, configuration) }

    /// libcurl itself sends the user info of a URL, and responds to challenges, so the realm doesn't count.
    func credential(for request: URLRequest) -> URLCredential? {
        guard let url = request.url, url.user == nil, request.value(forHTTPHeaderField: "Authorization") == nil else {
            return nil
        }
        let methods = [
            NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
        ]
        // On Linux, protection spaces are never equal, so the storage's own lookups find nothing.
        let spaces = configuration.urlCredentialStorage?.allCredentials.lazy.filter { space, _ in
            let origin = "\(space.protocol ?? "")://\(space.host):\(space.port)".lowercased()
            return !space.isProxy() && origin == url.origin && methods.contains(space.authenticationMethod)
        }
        return spaces?.flatMap(\.value).min { $0.key < $1.key }?.value
    }

    // MARK: Ends

    func end(_ transfer: CurlTransfer, _ end: CurlTransfer.End) {
        let client = state.withLock { state -> (any WireClient)? in
            guard state.transfer === transfer else { return nil }
            state.isRunning = false
            return state.client
        }
        guard let client else { return }
        switch end {
        case .redirect(let redirect, let response): decide(redirect, after: transfer, response)
        case .response(let response): client.receive(.completed(response, nil))
        case .failure(let error): client.receive(.completed(nil, error))
        }
    }

    private func follow(
        _ redirect: Redirect, to next: URLRequest?, after transfer: CurlTransfer, _ response: HTTPURLResponse
    ) {
        guard let client = client(of: transfer) else { return }
        guard let next else { return client.receive(.completed(response, nil)) }
        let count = state.withLock { state in
            state.redirects += 1
            return state.redirects
        }
        if count > Redirect.limit {
            let reason = "more than \(Redirect.limit) redirects"
            return client.receive(
                .completed(nil, URLError(.httpTooManyRedirects, reason: reason, url: next.url)))
        }
        let keepsBody = redirect.keepsBody && next.httpMethod == transfer.request.httpMethod
        if keepsBody { add(next, transfer.upload) } else { send(next, .ofRequest) }
    }

    /// Asks the delegate on the session's queue. Meanwhile, no timeout applies.
    private func decide(_ redirect: Redirect, after transfer: CurlTransfer, _ response: HTTPURLResponse) {
        let next = redirect.request
        guard let delegate = session.delegate as? any URLSessionTaskDelegate else {
            return follow(redirect, to: next, after: transfer, response)
        }
        session.delegateQueue.addOperation { [self] in
            guard client(of: transfer) != nil else { return }
            // Represents the request, and is never resumed.
            let task = Self.placeholders.dataTask(with: transfer.request)
            delegate.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: next) {
                self.follow(redirect, to: $0, after: transfer, response)
            }
            // Otherwise, its session would retain it.
            task.cancel()
        }
    }
}
#endif
