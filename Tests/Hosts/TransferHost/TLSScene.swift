#if os(Linux)
import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

/// A server whose certificate is unknown at first, and which then dies while it receives an upload.
func tls() async throws {
    signal(SIGPIPE, SIG_DFL)
    let nginx = try Nginx(options: "ssl", "location / { return 200 $pid; }")
    defer { nginx.stop() }
    unsetenv("SSL_CERT_FILE")
    try await nginx.waitUntilReady {
        do {
            _ = try await URLSession.shared.trackedData(from: nginx.url("/"), policy: .singleAttempt)
        } catch let error as NetworkRequestError where error.code == .cannotConnectToHost {
            return false
        } catch {}
        return true
    }
    do {
        _ = try await URLSession.shared.trackedData(from: nginx.url("/"))
    } catch let error as NetworkRequestError {
        report("code", error.code == .serverCertificateUntrusted)
        report("attempts", error.attemptCount)
    }
    // An empty variable counts as unset. A directory has links with the hash of each certificate.
    setenv("SSL_CERT_FILE", "", 1)
    let folder = try nginx.makeFolderOfAuthorities()
    setenv("SSL_CERT_DIR", folder, 1)
    do {
        _ = try await URLSession(configuration: .ephemeral).trackedData(from: nginx.url("/"), policy: .singleAttempt)
        report("directory", true)
    } catch is NetworkRequestError {
        // The libcurl of another system expects a file of authorities where this system has none.
        report("directory", false)
    }
    setenv("SSL_CERT_DIR", "", 1)
    nginx.trust()
    try await refusedClient(nginx)
    let worker = try await URLSession.shared.trackedData(from: nginx.url("/")).0
    guard let worker = pid_t(String(decoding: worker, as: UTF8.self)) else { return }
    report("trusted", true)
    // The end of a process that has unread data resets the connection. libcurl then writes a TLS alert to the
    // connection, and repeats the request. Only old versions of libcurl let OpenSSL raise SIGPIPE.
    kill(worker, SIGSTOP)
    let isAlive = Lock(true)
    var request = URLRequest(url: nginx.url("/"))
    request.httpMethod = "PUT"
    let (_, response) = try await URLSession.shared.trackedUpload(
        for: request, from: Data(count: 50_000), policy: .singleAttempt
    ) { event in
        guard case .progress(let progress) = event, progress.completedBytes == 50_000 else { return }
        isAlive.withLock { isAlive in
            if isAlive { kill(worker, SIGKILL) }
            isAlive = false
        }
    }
    report("repeated", (response as? HTTPURLResponse)?.statusCode ?? 0)
}

/// With TLS 1.3, a server refuses a client without a certificate after the handshake.
private func refusedClient(_ nginx: Nginx) async throws {
    let reserved = try LoopbackServer(isListening: false)
    let server = try nginx.startOpenSSL(
        "s_server -accept \(reserved.port) -tls1_3 -Verify 1 -verify_return_error -www -quiet")
    defer { server.terminate() }
    let url = URL(string: "https://127.0.0.1:\(reserved.port)/")!
    var (code, attempts) = (URLError.Code.cannotConnectToHost, 0)
    // The first call that finds the server tries once. The last call may try again.
    for policy in [TrackedRetryPolicy.singleAttempt, .standard] {
        repeat {
            do {
                _ = try await URLSession.shared.trackedData(from: url, policy: policy)
            } catch let error as NetworkRequestError {
                (code, attempts) = (error.code, error.attemptCount)
            }
        } while code == .cannotConnectToHost && server.isRunning
    }
    report("refused", "\(code.rawValue), \(attempts)")
}
#endif
