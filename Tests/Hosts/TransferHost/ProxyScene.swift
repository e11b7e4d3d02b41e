#if os(Linux)
import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

/// Downloads from an `https` origin through a proxy whose replies to `CONNECT` vary.
struct ProxyScene {
    private static let size = 300_000
    private static let established: [(name: String, reply: String)] = [
        ("plain", "HTTP/1.0 200 OK\r\nProxy-agent: x\r\n\r\n"),
        ("chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"),
        ("length", "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nETag: \"v1\"\r\nAccept-Ranges: bytes\r\n\r\n"),
    ]
    private static let long = String(repeating: "x", count: 2_000_000)
    private static let refused: [(name: String, reply: String)] = [
        ("302", "HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1:1/\r\nContent-Length: 2000000\r\n\r\n\(long)"),
        ("401", "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"),
        ("404", "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno"),
        ("407", "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"),
        ("503", "HTTP/1.1 503 Busy\r\nRetry-After: 30\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n"),
        ("dead", "HTTP/1.1 200 OK\r\n\r\n"),
    ]
    private static let whole = Data(Body.generated(size: size, seed: 1).bytes(in: 0..<size))

    private let origin: LoopbackServer
    private let proxy: LoopbackServer
    private let nginx: Nginx
    private let manager = NetworkIndicatorManager(configuration: .immediate)
    private let folder = FileManager.default.temporaryDirectory.appending(path: "proxy")

    init() throws {
        origin = try LoopbackServer(isListening: false)
        nginx = try Nginx(
            options: "ssl",
            """
            location / {
                proxy_pass \(origin.url(""));
                proxy_http_version 1.1; proxy_buffering off; proxy_redirect off;
            }
            """)
        nginx.trust()
        try origin.startListening()
        proxy = try LoopbackServer()
        let file = Response.generated(size: Self.size).ranged(entityTag: "\"v1\"")
        let long = Response(status: 302, headers: ["Location": "/200"], body: .generated(size: 1 << 40, seed: 1))
        origin.on("/302") { _ in long }
        let responses: [String: Response] = [
            "/200": file, "/204": .status(204),
            "/401": .status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""]),
            "/404": .status(404), "/503": .status(503), "/nowhere": Response(status: 302, body: .bytes([1])),
        ]
        for (path, response) in responses {
            origin.on(path) { request in
                if request.headers["X-Part"] != nil { return file.cut(.close, after: 100_000) }
                return request.headers["Authorization"] == nil ? response : file
            }
        }
        setenv("https_proxy", proxy.url("").absoluteString, 1)
        unsetenv("no_proxy")
        unsetenv("NO_PROXY")
    }

    /// Without `isTunnel`, the proxy closes the connection after its reply.
    private func reply(_ text: String, isTunnel: Bool = true) {
        proxy.on("127.0.0.1:\(nginx.port)", .tunnel(text, to: isTunnel ? nginx.port : nil))
    }

    func run() async throws {
        defer { nginx.stop() }
        try await calls()
        for (name, text) in Self.established { try await load("/200", name, text, isTunnel: true) }
        for path in ["/302", "/nowhere", "/204", "/401", "/404", "/503"] {
            try await load(path, "length", Self.established[2].reply, isTunnel: true)
        }
        for (name, text) in Self.refused { try await load("/200", name, text, isTunnel: false) }
        unsetenv("https_proxy")
        try FileManager.default.removeItem(at: folder)
    }

    private func calls() async throws {
        reply(Self.established[0].reply)
        let session = URLSession(configuration: .ephemeral, delegate: Credentials(), delegateQueue: nil)
        try await nginx.waitUntilReady {
            await (try? session.trackedData(from: nginx.url("/204"), policy: .singleAttempt, manager: manager)) != nil
        }
        // The later calls use the tunnel of the first call.
        for path in ["/401", "/302", "/404"] {
            let (data, response) = try await session.trackedData(from: nginx.url(path), manager: manager)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            report("data \(path)", "\(status), \(data == Self.whole ? "whole" : "\(data.count)")")
        }
        session.finishTasksAndInvalidate()
    }

    private func load(_ path: String, _ name: String, _ text: String, isTunnel: Bool) async throws {
        let session = URLSession(configuration: .ephemeral)
        let destination = folder.appending(path: "file")
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("old".utf8).write(to: destination)
        var request = URLRequest(url: nginx.url(path))
        request.setValue("yes", forHTTPHeaderField: "X-Part")
        reply(Self.established[0].reply)
        let other = URLSession(configuration: .ephemeral)
        _ = try? await other.trackedDownload(for: request, to: destination, policy: .singleAttempt, manager: manager)

        reply(text, isTunnel: isTunnel)
        let start = SuspendingClock.now
        let events = Lock<[String]>([])
        let result: String
        do {
            let policy = isTunnel ? TrackedRetryPolicy.singleAttempt : .retryingServerErrors
            let (_, response) = try await session.trackedDownload(
                from: nginx.url(path), to: destination, policy: policy, manager: manager
            ) { event in
                if case .receiving(true, _) = event { events.withLock { $0.append("resumable") } }
            }
            result = "\((response as? HTTPURLResponse)?.statusCode ?? 0)"
        } catch DownloadError.unacceptableStatus(let response) {
            result = "error \(response.statusCode)"
        } catch let error as NetworkRequestError {
            result = "\(error.code.rawValue), \(error.attemptCount), \(error)"
        }
        let contents = try Data(contentsOf: destination)
        let state = contents == Self.whole ? "whole" : contents == Data("old".utf8) ? "old" : "\(contents.count) bytes"
        let isKept = try FileManager.default.contentsOfDirectory(atPath: folder.path).count > 1
        report(
            "\(name) \(path)",
            ([result, state] + events.withLock { $0 }).joined(separator: ", ") + (isKept ? ", kept" : "")
                + (start.duration(to: .now) < .seconds(20) ? "" : ", slow"))
    }
}

private final class Credentials: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, URLCredential(user: "me", password: "secret", persistence: .none))
    }
}
#endif
