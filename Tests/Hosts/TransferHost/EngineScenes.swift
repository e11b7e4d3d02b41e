#if os(Linux)
import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers
import TestSupport

/// Programs that call `exit`, on one or two threads or in a child, while eight sessions are receiving data over TLS.
func exits(_ count: Int) async throws {
    let nginx = try Nginx(options: "ssl", "location / { root \(NSTemporaryDirectory()); }")
    defer { nginx.stop() }
    nginx.trust()
    try shell("truncate -s 1G \(NSTemporaryDirectory())/big && touch \(NSTemporaryDirectory())/small")
    try await nginx.waitUntilReady {
        await (try? URLSession.shared.trackedData(from: nginx.url("/small"), policy: .singleAttempt)) != nil
    }
    let program = CommandLine.arguments[0]
    let ends = (0..<count).map { system("\(program) exit \(nginx.url("/big")) \(["one", "two", "forks"][$0 % 3])") }
    report("ends", Set(ends).sorted())
}

func exitWhileReceiving(_ url: URL, _ way: String) async throws {
    // Foundation initializes OpenSSL when it creates the first session.
    _ = URLSession(configuration: .ephemeral)
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
                if isFirst, way != "forks" { end(way) }
            }
        }
    }
    // A child of `fork` has a copy of the locks that handshakes hold.
    if way == "forks" { end(way) }
    for call in calls { _ = await call.result }
    exit(1)
}

private func end(_ way: String) {
    if way == "two" { Thread.detachNewThread { exit(0) } }
    typealias Fork = @convention(c) () -> pid_t
    let fork = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
    for _ in 0..<(way == "forks" ? 12 : 0) {
        let child = fork()
        if child == 0 { exit(0) }
        var status: Int32 = 0
        let hasEnded = (0..<5_000).contains { _ in usleep(500) == 0 && waitpid(child, &status, WNOHANG) == child }
        if !hasEnded { kill(child, SIGKILL) }
        if !hasEnded || status != 0 { exit(1) }
    }
    exit(0)
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
    // The engine of a deallocated session would free its resources.
    let sessions = (0..<3).map { _ in URLSession(configuration: .ephemeral) }
    report("before", await call(sessions[0]))
    for (session, isThread) in [(sessions[1], false), (sessions[2], true)] {
        let release = isThread ? try takeThreads() : takeDescriptors()
        let error = await call(session)
        release()
        report("exhausted", error)
        report("then", await call(session))
    }
    withExtendedLifetime(sessions) {}
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
