public import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Creates a session whose requests a closure answers, without a network.
    ///
    /// ```swift
    /// let session = URLSession.stubbed { request in
    ///     guard request.url?.path == "/users" else {
    ///         return StubbedResponse(status: 404)
    ///     }
    ///     return StubbedResponse(body: Data("[]".utf8))
    /// }
    /// ```
    ///
    /// To simulate a failure, throw a `URLError`. To simulate a slow server, sleep: `scheduler.sleep(for: .seconds(3))`
    /// ends when the test advances the time of its ``ManualScheduler``. The Swift task of the closure is cancelled when
    /// the request ends.
    ///
    /// Redirects aren't followed. The closure receives a body as `httpBody`. On Linux, only the requests of
    /// NetworkIndicatorTransfers reach the closure, because URLSession there doesn't let a protocol class find its
    /// session, and a response with the status 401 has no `WWW-Authenticate`.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the session, which are copied. The copy has an additional protocol class and
    ///     an additional header, which the requests of the closure don't have.
    ///   - respond: Called on any thread, for each request.
    public static func stubbed(
        configuration: URLSessionConfiguration = .ephemeral,
        _ respond: @escaping @Sendable (URLRequest) async throws -> StubbedResponse
    ) -> URLSession {
        let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
        let name = UUID().uuidString
        configuration.protocolClasses = [StubProtocol.self] + (configuration.protocolClasses ?? [])
        configuration.httpAdditionalHeaders = (configuration.httpAdditionalHeaders ?? [:])
            .merging([StubProtocol.header: name]) { $1 }
        // While a cache looks for a response, URLSession on Linux can't cancel a task safely.
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        StubProtocol.add(session, name, respond)
        return session
    }
}

/// The response of a stub to a request.
public struct StubbedResponse: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The headers. Without a `Content-Length`, the stub adds that of the body. With a larger one, the connection seems
    /// to be lost within the body.
    public var headers: [String: String]
    /// The body.
    public var body: Data

    /// Creates a response, by default an empty one with the status 200.
    public init(status: Int = 200, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

final class StubProtocol: URLProtocol {
    typealias Respond = @Sendable (URLRequest) async throws -> StubbedResponse

    private struct Stub: Sendable {
        weak var session: URLSession?
        let respond: Respond
    }

    /// A protocol object can't reach its session, but receives the session's headers.
    static let header = "NetworkIndicator-Stub"
    private static let stubs = Lock<[String: Stub]>([:])

    private let load = Lock<(isEnded: Bool, task: Task<Void, Never>?)>((false, nil))

    static func add(_ session: URLSession, _ name: String, _ respond: @escaping Respond) {
        let old = stubs.withLock { stubs in
            defer { stubs[name] = Stub(session: session, respond: respond) }
            return stubs
        }
        // Closures of callers must not be released while the lock is held.
        for (name, stub) in old where stub.session == nil {
            withExtendedLifetime(stub) { _ = stubs.withLock { $0.removeValue(forKey: name) } }
        }
    }

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let respond = request.value(forHTTPHeaderField: Self.header).flatMap { name in
            Self.stubs.withLock { $0[name] }
        }?.respond
        var request = request
        request.setValue(nil, forHTTPHeaderField: Self.header)
        if request.httpBody == nil { request.httpBody = request.httpBodyStream?.readToEnd() }
        // The lock guards the only property that changes.
        nonisolated(unsafe) let loader = self
        let task = Task { [request] in
            do {
                guard let respond else { throw URLError(.resourceUnavailable) }
                loader.send(try await respond(request), to: request)
            } catch {
                let error = error is CancellationError ? URLError(.cancelled) : error
                loader.end { $0.urlProtocol(loader, didFailWithError: error) }
            }
        }
        load.withLock { $0.task = task }
    }

    private func send(_ answer: StubbedResponse, to request: URLRequest) {
        var headers = answer.headers
        if !headers.keys.contains(where: { ["content-length", "transfer-encoding"].contains($0.lowercased()) }) {
            headers["Content-Length"] = "\(answer.body.count)"
        }
        #if canImport(FoundationNetworking)
        // Otherwise, URLSession on Linux would wait for credentials, without a limit.
        if answer.status == 401 { headers = headers.filter { $0.key.lowercased() != "www-authenticate" } }
        #endif
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: headers)
        else { return }
        end { client in
            client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            if !answer.body.isEmpty { client.urlProtocol(self, didLoad: answer.body) }
            client.urlProtocolDidFinishLoading(self)
        }
    }

    /// Holds the lock, because URLSession on Linux traps if a task ends while it is being cancelled. URLSession calls
    /// its delegate later, on another thread.
    private func end(_ deliver: (any URLProtocolClient) -> Void) {
        load.withLock { load in
            if !load.isEnded, let client { deliver(client) }
            load.isEnded = true
        }
    }

    override func stopLoading() {
        let task = load.withLock { load in
            load.isEnded = true
            return load.task
        }
        task?.cancel()
    }
}

extension InputStream {
    fileprivate func readToEnd() -> Data {
        open()
        defer { close() }
        var (data, buffer) = (Data(), [UInt8](repeating: 0, count: 65_536))
        while case let count = read(&buffer, maxLength: buffer.count), count > 0 {
            data.append(contentsOf: buffer[..<count])
        }
        return data
    }
}
