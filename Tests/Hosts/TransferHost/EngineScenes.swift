#if os(Linux)
import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers
import TestSupport

/// Programs that call `exit`, on one or two threads or in a child, while eight sessions are receiving data over TLS, or
/// whose first request begins after OpenSSL's end.
func exits(_ count: Int) async throws {
    let nginx = try Nginx(options: "ssl", "location / { root \(NSTemporaryDirectory()); }")
    defer { nginx.stop() }
    nginx.trust()
    try shell("truncate -s 1G \(NSTemporaryDirectory())/big && touch \(NSTemporaryDirectory())/small")
    try await nginx.waitUntilReady {
        await (try? URLSession.shared.trackedData(from: nginx.url("/small"), policy: .singleAttempt)) != nil
    }
    let program = CommandLine.arguments[0]
    for way in (0..<count).map({ ["one", "two", "forks", "late"][$0 % 4] }) {
        let status = system("\(program) exit \(nginx.url("/big")) \(way) 2>&1")
        if status != 0 { report(way, status) }
    }
}

func exitWhileReceiving(_ url: URL, _ way: String) async throws {
    atexit { afterEngines() }
    // Foundation initializes OpenSSL when it creates the first session.
    _ = URLSession(configuration: .ephemeral)
    if way == "late" {
        afterEngines = {
            Task.detached { try await URLSession.shared.trackedData(from: url) }
            usleep(200_000)
        }
        exit(0)
    }
    let isEnding = Lock(false)
    let calls = (0..<8).map { _ in
        Task {
            let session = URLSession(configuration: .ephemeral)
            _ = try await session.trackedDownload(from: url) { event in
                guard case .progress(let progress) = event, progress.totalBytes == 1 << 30 else { return }
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
    for call in calls { report("call", await call.result) }
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
        // The child can have blocked the signal of `alarm`.
        let hasEnded = (0..<60_000).contains { _ in usleep(500) == 0 && waitpid(child, &status, WNOHANG) == child }
        if !hasEnded { kill(child, SIGKILL) }
        guard hasEnded, status == 0 else { fatalError("child: \(hasEnded), \(status)") }
    }
    exit(0)
}

private let (isReading, isExiting) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
/// Assigned before `exit` begins.
private nonisolated(unsafe) var afterEngines: () -> Void = {}
/// Never changes.
private nonisolated(unsafe) let page = mmap(nil, 4_096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!

/// A program that ends while one engine waits for a page of a slow disk. Then it cancels the call of another engine,
/// a third engine loses its connection, and a fourth loses its session.
func exitBesideSlowDisk() async throws {
    // Handlers run in the reverse order, so this one runs when the engines are parked.
    atexit { afterEngines() }
    let server = try LoopbackServer()
    server.on("/idle", .text("Hello"))
    server.on("/silence", .silence)
    server.on("/lost") { _ in
        isExiting.wait()
        return .close
    }
    @Sendable func load(_ path: String) async throws {
        _ = try await URLSession(configuration: .ephemeral).trackedData(from: server.url(path), policy: .singleAttempt)
    }
    var idle: URLSession? = URLSession(configuration: .ephemeral)
    _ = try await idle?.trackedData(from: server.url("/idle"))
    let call = Task { try await load("/silence") }
    Task { try await load("/lost") }
    while server.hits("/silence") + server.hits("/lost") < 2 { await Task.yield() }
    afterEngines = {
        for _ in 0..<2 { isExiting.signal() }
        call.cancel()
        idle = nil
        Task { try await load("/") }
        var losses: Int { server.hits("/") + server.acceptedConnectionCount - server.openConnectionCount }
        for _ in 0..<60 where losses == 0 { usleep(5_000) }
        report("losses", losses)
    }
    signal(SIGSEGV) { _ in
        signal(SIGSEGV, SIG_DFL)
        mprotect(page, 4_096, PROT_READ)
        isReading.signal()
        isExiting.wait()
    }
    Thread.detachNewThread {
        isReading.wait()
        exit(0)
    }
    let request = URLRequest(url: server.url("/"))
    let body = Data(bytesNoCopy: page, count: 4_096, deallocator: .none)
    _ = try await URLSession(configuration: .ephemeral).trackedUpload(for: request, from: body)
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
    // A program can use a session for each call. An unowned reference prevents the reuse of its address.
    struct Former { unowned let session: URLSession }
    var (formers, results): ([Former], Set<String>) = ([], [])
    for _ in 0..<150 {
        let session = URLSession(configuration: .ephemeral)
        formers.append(Former(session: session))
        results.insert(await call(session))
    }
    report("short", results.sorted())
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
#endif
