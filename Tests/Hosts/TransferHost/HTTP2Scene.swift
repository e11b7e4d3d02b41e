#if os(Linux)
import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// URLSession on Linux trusts only the system's certificates, so the server's certificate replaces them in a mount
/// namespace.
struct HTTP2Scene {
    private let port: UInt16
    private let nginx = Process()
    private let session = URLSession(configuration: .ephemeral)
    private let manager = NetworkIndicatorManager(configuration: .immediate)

    init() throws {
        let path = NSTemporaryDirectory()
        try enterNamespace(0x0002_0000)
        try shell(
            """
            cd \(path) && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem \
            && mount --make-rprivate / && mount --bind cert.pem /etc/ssl/certs/ca-certificates.crt
            """)
        let reserved = try LoopbackServer(isListening: false)
        port = reserved.port
        reserved.stop()
        try Data(Self.configuration(path, port).utf8).write(to: URL(filePath: "\(path)/nginx.conf"))
        nginx.executableURL = URL(filePath: "/usr/bin/env")
        nginx.arguments = [
            "setpriv", "--pdeathsig", "TERM", "nginx", "-p", path, "-c", "\(path)/nginx.conf", "-g", "daemon off;",
        ]
        (nginx.standardOutput, nginx.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try nginx.run()
    }

    private static func configuration(_ path: String, _ port: UInt16) -> String {
        """
        worker_processes 2;
        pid \(path)/pid;
        error_log \(path)/error.log;
        events { worker_connections 256; }
        http {
            access_log off;
            client_body_temp_path \(path)/body; proxy_temp_path \(path)/proxy; fastcgi_temp_path \(path)/fastcgi;
            uwsgi_temp_path \(path)/uwsgi; scgi_temp_path \(path)/scgi;
            server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(path)/cert.pem;
                ssl_certificate_key \(path)/key.pem;
                add_header X-Worker $pid always;
                location /old { return 302 /new$is_args$args; }
                location /new { return 200 "new"; }
            }
        }
        """
    }

    func run() async throws {
        defer {
            nginx.terminate()
            nginx.waitUntilExit()
        }
        while (try? await worker(.singleAttempt)) == nil { try await Task.sleep(for: .milliseconds(20)) }
        report("version", try await version())
        try await redirects()
        try await silence()
    }

    private func url(_ path: String) -> URL { URL(string: "https://127.0.0.1:\(port)\(path)")! }

    private func version() async throws -> String {
        let (_, response) = try await session.trackedData(from: url("/new"), manager: manager)
        return (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Connection") == nil ? "2" : "1"
    }

    /// URLSession on Linux crashes if several requests over one HTTP/2 connection are redirected at once
    /// (swift-corelibs-foundation #5445).
    private func redirects() async throws {
        var count = 0
        for _ in 0..<10 {
            count += try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        let (data, _) = try await session.trackedData(from: url("/old?\(number)"), manager: manager)
                        return data == Data("new".utf8) ? 1 : 0
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        report("redirected", count)
    }

    private func worker(_ policy: TrackedRetryPolicy) async throws -> pid_t {
        let request = URLRequest(url: url("/new"), timeoutInterval: 2)
        let (_, response) = try await session.trackedData(for: request, policy: policy, manager: manager)
        let value = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Worker")
        return value.flatMap { pid_t($0) } ?? 0
    }

    private func silence() async throws {
        let silent = try await worker(.singleAttempt)
        kill(silent, SIGSTOP)
        defer { kill(silent, SIGCONT) }
        var policy = TrackedRetryPolicy.standard
        policy.backoffBase = .zero
        do {
            let other = try await worker(policy)
            report("after silence", other == silent ? "the same worker" : "another worker")
        } catch {
            report("after silence", error)
        }
    }
}
#endif
