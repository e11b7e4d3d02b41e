#if canImport(FoundationNetworking)
import CLibcurl
import Foundation
import LoopbackServer
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

extension CurlWireTests {
    /// `.ci/libcurl` sets the variable.
    @Test func theLibraryIsTheExpectedOne() throws {
        try #require(ni_curl_load())
        let version = ProcessInfo.processInfo.environment["LIBCURL_VERSION"] ?? ""
        #expect(String(cString: ni_curl_version()).hasPrefix("libcurl/\(version)"))
    }

    /// A client that blocks the engine's thread, as a slow disk does.
    private final class SlowClient: WireClient {
        let count = Lock(0)
        let write: @Sendable () -> Void
        var receivesFile: Bool { true }

        init(_ write: @escaping @Sendable () -> Void) { self.write = write }

        func receive(_ event: WireEvent) {
            guard case .data = event else { return }
            count.withLock { $0 += 1 }
            write()
        }
    }

    @Test func aSlowDiskDoesNotStopOtherTransfers() async throws {
        server.on("/slow", .generated(size: 16_000_000))
        server.on("/", .text("Hello"))
        let (slow, other) = (wire(bench), wire(bench))
        let (slowClient, client) = (SlowClient { usleep(5_000) }, Client())
        slow.start(URLRequest(url: server.url("/slow")), .ofRequest, for: slowClient)
        while slowClient.count.withLock({ $0 }) == 0 { await Task.yield() }
        other.start(URLRequest(url: server.url("/")), .ofRequest, for: client)
        await client.events.reached(1)
        #expect(slowClient.count.withLock { $0 } < 900)
        for wire in [slow, other] { wire.cancel() }
    }

    @Test func theTimeOfASlowDiskIsNotSilence() async throws {
        server.on("/slow", .generated(size: 1_000))
        server.on("/", .text("Hello"))
        let mayContinue = DispatchSemaphore(value: 0)
        let (slow, unopened) = (wire(bench), wire(bench))
        let (slowClient, client) = (SlowClient { mayContinue.wait() }, Client())
        slow.start(URLRequest(url: server.url("/slow")), .ofRequest, for: slowClient)
        while slowClient.count.withLock({ $0 }) == 0 { await Task.yield() }
        unopened.start(URLRequest(url: server.url("/")), .ofRequest, for: client)
        let silences = (slow.silence, unopened.silence)
        let start = ContinuousClock.now
        while start.duration(to: .now) < .milliseconds(5) { await Task.yield() }
        #expect(slow.silence != nil && slow.silence == silences.0)
        // Otherwise, a transfer that the engine never opens would have no timeout.
        #expect(client.timeChecks.entries.count == 1)
        #expect(try #require(unopened.silence) > #require(silences.1))
        mayContinue.signal()
        await client.events.reached(1)
        for wire in [slow, unopened] { wire.cancel() }
    }

    @Test func programsInheritNoConnection() async throws {
        server.on("/", .silence)
        let wire = wire(bench)
        wire.start(URLRequest(url: server.url("/")), .ofRequest, for: Client())
        while server.hits("/") == 0 { await Task.yield() }
        let flags = (Int32(0)..<4_096).filter { descriptor in
            var (peer, length) = (sockaddr(), socklen_t(16))
            let isConnected = getpeername(descriptor, &peer, &length) == 0
            return isConnected
                && withUnsafeBytes(of: peer.sa_data) { $0.load(as: UInt16.self) } == server.port.bigEndian
        }.map { fcntl($0, F_GETFD) }
        #expect(flags == [FD_CLOEXEC])
        wire.cancel()
    }

    /// Otherwise, a call would wait for a network after a refusal.
    @Test func aRefusalProvesThatThereIsANetwork() async throws {
        let refusing = try LoopbackServer(isListening: false)
        let (wire, client) = (wire(bench), Client())
        wire.start(URLRequest(url: refusing.url("/")), .ofRequest, for: client)
        await client.events.reached(1)
        #expect(wire.hasReceived)
        #expect(CurlFailure(code: 56, text: "", connectStatus: 503).isResponse)
        #expect(CurlFailure(code: 97, text: "", proxyError: 12).isResponse)
        #expect(!CurlFailure(code: 7, text: "", systemError: ENETUNREACH).isResponse)
        wire.cancel()
    }

    /// Other tests may open descriptors meanwhile, but not as many.
    @Test func programsInheritNoWakeupDescriptor() throws {
        try #require(ni_curl_load())
        func inherited() -> Int { (Int32(0)..<4_096).count { fcntl($0, F_GETFD) == 0 } }
        let before = inherited()
        let handles = (0..<100).compactMap { _ in ni_multi_init() }
        #expect(handles.count == 100 && inherited() < before + 100)
        for handle in handles { ni_multi_cleanup(handle) }
    }

    /// Servers may have closed them. A thread that wakes without a command has waited for the time of an idle engine.
    @Test func anIdleSessionClosesItsConnections() async throws {
        server.on("/", .text("Hello"))
        _ = try await bench.data(server.url("/"), .singleAttempt)
        let engine = try #require(CurlEngine.use(for: bench.session))
        engine.endUse()
        for _ in 0..<1_000_000 where server.openConnectionCount > 0 {
            // The engine doesn't end between this line and `endUse()`.
            let current = try #require(CurlEngine.use(for: bench.session))
            if current === engine { ni_multi_wakeup(engine.multi) }
            current.endUse()
            await Task.yield()
        }
        #expect(server.openConnectionCount == 0)
    }

    /// Sessions end while their engines receive commands. Otherwise, their connections could exhaust the descriptors.
    @Test func sessionsThatEndDuringTransfers() async throws {
        server.on("/", .text("Hello"))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { [self] in
                    let session = URLSession(configuration: .ephemeral)
                    let call = Task { try await session.trackedData(from: server.url("/"), manager: bench.manager) }
                    if number.isMultiple(of: 2) { call.cancel() }
                    CurlEngine.closeUnused()
                    _ = await call.result
                }
            }
        }
        while server.openConnectionCount > 0 {
            CurlEngine.closeUnused()
            await Task.yield()
        }
    }

    @Test func aWakeupDuringATransferDoesNotEndTheEngine() async throws {
        server.on("/", .text("Hello"))
        for _ in 1...20 {
            let wire = wire(bench)
            let client = Client { [bench] in
                guard let engine = CurlEngine.use(for: bench.session) else { return }
                ni_multi_wakeup(engine.multi)
                engine.endUse()
                wire.cancel()
            }
            wire.start(URLRequest(url: server.url("/")), .ofRequest, for: client)
            await client.events.reached(1)
        }
        #expect(server.acceptedConnectionCount == 1)
    }

    private static let forkTimes = Log<Duration>()

    /// OpenSSL uses locks at the end of a thread. With a copy of a held lock, `exit` in a child of `fork` would hang.
    /// Here, the thread of an engine can't end before `fork`, which therefore waits for as long as it can.
    @Test func aForkWaitsForTheEndOfAnEngine() async throws {
        server.on("/", .text("Hello"))
        var key = pthread_key_t()
        pthread_key_create(&key) { _ in
            let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)
            let start = ContinuousClock.now
            let child = fork()
            if child == 0 { _exit(0) }
            CurlWireTests.forkTimes.add(start.duration(to: .now))
            waitpid(child, nil, 0)
        }
        let client = SlowClient { [key] in pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1)) }
        let request = URLRequest(url: server.url("/"))
        do {
            let wire = makeWire(for: request, in: URLSession(configuration: .ephemeral))
            wire.start(request, .ofRequest, for: client)
            while client.count.withLock({ $0 }) == 0 { await Task.yield() }
            wire.cancel()
        }
        while Self.forkTimes.entries.isEmpty {
            CurlEngine.closeUnused()
            await Task.yield()
        }
        #expect(Self.forkTimes.entries.allSatisfy { $0 >= .milliseconds(300) })
    }
}
#endif
