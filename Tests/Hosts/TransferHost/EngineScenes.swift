#if os(Linux)
import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers
import TestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Programs that call `exit` while eight sessions are receiving data over TLS.
func exits(_ count: Int) async throws {
    let nginx = try Nginx(options: "ssl", "location / { root \(NSTemporaryDirectory()); }")
    defer { nginx.stop() }
    nginx.trust()
    try shell("truncate -s 1G \(NSTemporaryDirectory())/big && touch \(NSTemporaryDirectory())/small")
    try await nginx.waitUntilReady {
        await (try? URLSession.shared.trackedData(from: nginx.url("/small"), policy: .singleAttempt)) != nil
    }
    let program = CommandLine.arguments[0]
    let ends = (0..<count).map { _ in system("\(program) exit \(nginx.url("/big"))") }
    report("ends", Set(ends).sorted())
}

func exitWhileReceiving(_ url: URL) async throws {
    let isEnding = Lock(false)
    let calls = (0..<8).map { _ in
        Task {
            let session = URLSession(configuration: .ephemeral)
            _ = try await session.trackedDownload(from: url) { event in
                guard case .progress = event else { return }
                let isFirst = isEnding.withLock { isEnding in
                    defer { isEnding = true }
                    return !isEnding
                }
                if isFirst { exit(0) }
            }
        }
    }
    for call in calls { _ = await call.result }
    exit(1)
}

/// First calls of sessions without a free file descriptor, and without a thread.
func exhaustedResources() async throws {
    let server = try LoopbackServer()
    server.on("/", .text("Hello"))
    @Sendable func call(_ session: URLSession) async -> String {
        do {
            return String(
                decoding: try await session.trackedData(from: server.url("/"), policy: .singleAttempt).0, as: UTF8.self)
        } catch {
            return "\((error as? NetworkRequestError)?.underlyingError.localizedDescription ?? "\(error)")"
        }
    }
    report("before", await call(URLSession(configuration: .ephemeral)))
    for isThread in [false, true] {
        let session = URLSession(configuration: .ephemeral)
        let release = isThread ? try takeThreads() : takeDescriptors()
        let error = await call(session)
        release()
        report("exhausted", error)
        report("then", await call(session))
    }
}

private func takeDescriptors() -> () -> Void {
    ResourceLimit.set(RLIMIT_NOFILE, to: 256)
    var taken: [Int32] = []
    while true {
        let descriptor = dup(0)
        if descriptor < 0 { break }
        taken.append(descriptor)
    }
    return { [taken] in for descriptor in taken { close(descriptor) } }
}

/// No thread has space for a stack.
private func takeThreads() throws -> () -> Void {
    typealias SetDefault = @convention(c) (UnsafePointer<pthread_attr_t>) -> Int32
    let setDefault = unsafeBitCast(dlsym(nil, "pthread_setattr_default_np"), to: SetDefault.self)
    @Sendable func set(_ size: Int) -> Int32 {
        withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { attributes in
            pthread_attr_init(attributes.baseAddress!)
            pthread_attr_setstacksize(attributes.baseAddress!, size)
            return setDefault(attributes.baseAddress!)
        }
    }
    guard set(1 << 46) == 0 else { throw POSIXError(.EINVAL) }
    return { _ = set(1 << 23) }
}

/// A session that closes its connection while it is idle.
func idleSession() async throws {
    let server = try LoopbackServer()
    server.on("/", .text("Hello"))
    let session = URLSession(configuration: .ephemeral)
    _ = try await session.trackedData(from: server.url("/"))
    report("connections", server.openConnectionCount)
    while server.openConnectionCount > 0 { try await Task.sleep(for: .milliseconds(50)) }
    _ = try await session.trackedData(from: server.url("/"))
    report("accepted", server.acceptedConnectionCount)
}
#endif
