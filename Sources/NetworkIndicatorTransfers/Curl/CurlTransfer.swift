#if canImport(FoundationNetworking)
import CLibcurl
import Foundation
import FoundationNetworking
import NetworkIndicator

/// One request of libcurl and its response.
///
/// `@unchecked Sendable`: after ``CurlEngine/submit(_:)``, only the engine's thread uses this object, apart from
/// `activity`, which has a lock.
final class CurlTransfer: @unchecked Sendable {
    typealias Instant = SuspendingClock.Instant

    let request: URLRequest
    let upload: UploadBody?
    private let wire: CurlWire
    let engine: CurlEngine
    /// The number of redirects that led to this request.
    let redirects: Int
    private enum Activity {
        /// The engine hasn't opened the transfer yet.
        case unopened
        /// The transfer waits for a connection of its host. It must not time out.
        case waiting
        /// The server hasn't sent or received anything since this time.
        case since(Instant)
        case ended
    }

    private let activity = Lock(Activity.unopened)

    private(set) var easy: NIEasy?
    var isResolving = false
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(NI_ERROR_SIZE))
    private var fields: OpaquePointer?
    var sentBytes: Int64 = 0
    private var reportedBytes: Int64?
    private var decodes = false
    private var head = ResponseHead()
    private var response: HTTPURLResponse?
    /// The request that follows a redirect.
    private(set) var redirect: URLRequest?
    private let start = Instant.now
    private var latestWriteWasSlow = false
    private var failure: URLError?
    private var cookies: CurlCookies?
    /// The origin for which libcurl has a user and a password, unless they are those of the URL.
    private var origin: String?
    /// Whether libcurl may send the request again after this 401. The client receives the response with its body, or at
    /// the end.
    private var isHeld = false
    private var seesRequests = false

    init(_ request: URLRequest, _ upload: UploadBody?, _ wire: CurlWire, _ engine: CurlEngine, _ redirects: Int) {
        (self.request, self.upload, self.wire, self.engine, self.redirects) = (request, upload, wire, engine, redirects)
        errorText.pointee = 0
    }

    deinit {
        errorText.deallocate()
        engine.endUse()
    }

    var client: (any WireClient)? { wire.client(of: self) }

    var hasEnded: Bool { if case .ended = activity.withLock({ $0 }) { true } else { false } }

    /// - Parameter latestReading: The time until which data has been read.
    func silence(until latestReading: Instant) -> Duration? {
        switch activity.withLock({ $0 }) {
        case .unopened: start.duration(to: .now)
        case .waiting, .ended: nil
        case .since(let time): max(.zero, time.duration(to: latestReading))
        }
    }

    func noteActivity() {
        let now = Instant.now
        let isFirst = activity.withLock { activity in
            defer { activity = .since(now) }
            return if case .since = activity { false } else { true }
        }
        if isFirst { deliver(.connecting) }
    }

    private func deliver(_ event: WireEvent) { client?.receive(event) }

    // MARK: Begin

    /// - Returns: `nil` if the transfer is no longer needed, or if memory is exhausted.
    func open() -> NIEasy? {
        guard let client, let easy = ni_easy_init() else { return nil }
        self.easy = easy
        activity.withLock { $0 = .waiting }
        func set(_ option: Int, _ value: Int) { ni_easy_set_long(easy, Int32(option), value) }
        func set(_ option: Int, _ value: String) { ni_easy_set_pointer(easy, Int32(option), value) }
        set(NI_OPT_URL, request.url?.absoluteString ?? "")
        set(NI_OPT_NOSIGNAL, 1)
        set(NI_OPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(NI_OPT_BUFFERSIZE, 131_072)
        set(NI_OPT_PATH_AS_IS, 1)
        // Only a connection with HTTP/2 outlives a transfer that it didn't serve.
        if wire.isFresh, request.url?.scheme?.lowercased() == "https" { set(NI_OPT_FRESH_CONNECT, 1) }
        // A lookup starts the time for a connection. Otherwise, this time would include the wait for another one.
        set(NI_OPT_DNS_CACHE_TIMEOUT, 0)
        setTimeout(NI_OPT_CONNECTTIMEOUT_MS, 1e6)
        ni_easy_set_pointer(easy, Int32(NI_OPT_ERRORBUFFER), errorText)
        // libcurl reads these variables only in its own program.
        for (name, option) in [("SSL_CERT_FILE", NI_OPT_CAINFO), ("SSL_CERT_DIR", NI_OPT_CAPATH)] {
            if let path = getenv(name), path.pointee != 0 { ni_easy_set_pointer(easy, Int32(option), path) }
        }
        let method = request.httpMethod ?? "GET"
        if method == "HEAD" { set(NI_OPT_NOBODY, 1) } else { set(NI_OPT_CUSTOMREQUEST, method) }
        if let upload, method != "HEAD" {
            set(NI_OPT_UPLOAD, 1)
            ni_easy_set_offset(easy, Int32(NI_OPT_INFILESIZE_LARGE), upload.length)
        }
        // A file is stored as it arrives, so that its length holds and a later response can continue it. A range of a
        // compressed body can't be decoded.
        decodes = !client.receivesFile && request.value(forHTTPHeaderField: "Range") == nil
        if decodes { set(NI_OPT_ACCEPT_ENCODING, "") }
        for line in wire.headerLines(of: request, hasBody: upload != nil, receivesFile: client.receivesFile) {
            fields = ni_list_append(fields, line)
        }
        ni_easy_set_pointer(easy, Int32(NI_OPT_HTTPHEADER), UnsafeRawPointer(fields))
        cookies = CurlCookies(request, wire.session.configuration)
        cookies?.load(into: easy, for: request)
        if let credential = wire.credential(for: request), let user = credential.user, let url = request.url {
            origin = url.origin
            let other = engine.basicOrigins.contains(url.origin) ? 0 : NI_AUTH_DIGEST
            set(NI_OPT_HTTPAUTH, NI_AUTH_BASIC | other)
            set(NI_OPT_USERNAME, user)
            set(NI_OPT_PASSWORD, credential.password ?? "")
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        // Before 7.80, libcurl doesn't report that a transfer uses an open connection.
        seesRequests = ni_easy_set_callbacks(easy, Self.callbacks, upload != nil, context)
        if !seesRequests { noteActivity() }
        return easy
    }

    /// - Parameter rest: In seconds, from now on. Half of the time for a connection is for a host's first address.
    func setTimeout(_ option: Int, _ rest: TimeInterval) {
        let time = start.duration(to: .now).timeInterval + min(rest, 1e6)
        ni_easy_set_long(easy, Int32(option), Int(time * 1_000))
    }

    /// libcurl uses a connection, for the first request or for one that responds to a challenge.
    func beginRequest() -> Bool {
        noteActivity()
        dropHeldResponse()
        return client != nil
    }

    private func dropHeldResponse() { if takeHeldResponse() != nil { (response, head) = (nil, ResponseHead()) } }

    private func takeHeldResponse() -> HTTPURLResponse? {
        guard isHeld else { return nil }
        isHeld = false
        ni_easy_set_long(easy, Int32(NI_OPT_TIMEOUT_MS), 0)
        return response
    }

    func close() {
        if let easy { ni_multi_close(engine.multi, easy) }
        ni_list_free(fields)
        (easy, fields) = (nil, nil)
    }

    // MARK: Events

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = upload?.read(sentBytes, buffer) ?? 0
        if count < 0 {
            failure = URLError(.cannotOpenFile, reason: "the uploaded file can't be read or became shorter", url: nil)
            return Int(NI_READ_ABORT)
        }
        sentBytes += Int64(count)
        return count
    }

    func report(_ sent: Int64) {
        guard let upload, sent != reportedBytes else { return }
        noteActivity()
        reportedBytes = sent
        deliver(.sent(sent, of: upload.length))
    }

    /// - Returns: `false` to end the transfer.
    func receive(header line: UnsafeRawBufferPointer) -> Bool {
        wire.noteReceived()
        if line.starts(with: "HTTP/".utf8) { dropHeldResponse() }
        do throws(URLError) {
            // Lines after the final response are trailers.
            guard try head.append(line), response == nil else { return true }
            let status = ni_easy_info(easy, Int32(NI_INFO_RESPONSE_CODE))
            guard status >= 200 else {
                head = ResponseHead()
                return true
            }
            guard let response = head.response(to: request, status: status, isDecoded: decodes) else { return false }
            self.response = response
            // Informational responses don't restart the timeout.
            noteActivity()
            return try receive(response)
        } catch {
            failure = error
            return false
        }
    }

    private func receive(_ response: HTTPURLResponse) throws(URLError) -> Bool {
        if response.value(forHTTPHeaderField: "Set-Cookie") != nil { cookies?.save(from: easy) }
        redirect = try request.redirected(by: response)
        if redirect != nil {
            // Reading a short body to its end keeps the connection.
            let length = response.field("Content-Length").flatMap { Int($0) }
            if request.httpMethod == "HEAD" { return true }
            guard let length, length < 1_000_000 else { return false }
            setTimeout(NI_OPT_TIMEOUT_MS, 1)
            return true
        }
        if let origin {
            let offered = ni_easy_info(easy, Int32(NI_INFO_HTTPAUTH_AVAIL))
            isHeld = response.statusCode == 401
            if isHeld {
                engine.basicOrigins.remove(origin)
                if seesRequests { setTimeout(NI_OPT_TIMEOUT_MS, 5) }
            } else if offered & (NI_AUTH_BASIC | NI_AUTH_DIGEST) == NI_AUTH_BASIC {
                engine.basicOrigins.insert(origin)
            }
        }
        if !isHeld { deliver(.response(response)) }
        return true
    }

    func receive(_ data: UnsafeRawBufferPointer) {
        noteActivity()
        if redirect != nil { return }
        if let response = takeHeldResponse() { deliver(.response(response)) }
        let start = Instant.now
        deliver(.data(Data(data)))
        latestWriteWasSlow = start.duration(to: .now) > .milliseconds(4)
    }

    /// Each write can be slow, for example because the disk is. In between, other transfers have their turn.
    func mustPause() -> Bool {
        defer { latestWriteWasSlow = false }
        if latestWriteWasSlow { engine.paused.append(self) }
        return latestWriteWasSlow
    }

    // MARK: End

    func end(_ code: Int32) {
        let result = result(code)
        close()
        activity.withLock { $0 = .ended }
        wire.end(self, result)
    }

    private func result(_ code: Int32) -> Result<HTTPURLResponse, URLError> {
        if let failure { return .failure(failure) }
        // The body of a redirect isn't needed.
        if code == 0 || isHeld || redirect != nil, let response { return .success(response) }
        let failure = CurlFailure(
            code: code,
            text: errorText.pointee == 0 ? String(cString: ni_easy_error(code)) : String(cString: errorText),
            connectStatus: ni_easy_info(easy, Int32(NI_INFO_HTTP_CONNECTCODE)),
            systemError: Int32(ni_easy_info(easy, Int32(NI_INFO_OS_ERRNO))),
            certificateError: ni_easy_info(easy, Int32(NI_INFO_SSL_VERIFYRESULT)),
            proxyError: ni_easy_info(easy, Int32(NI_INFO_PROXY_ERROR)))
        if failure.isResponse { wire.noteReceived() }
        return .failure(failure.error(request.url))
    }
}
#endif
