import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.serialized, .timeLimit(.minutes(10)))
struct TransferProgressTests {
    let bench = Bench()
    private let events = Log<AttemptEvent>()
    private static let size = 300_000
    private let file = Response.generated(size: size)

    private var progress: [TransferProgress] {
        events.entries.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
    }

    private func download(_ url: URL, _ policy: TrackedRetryPolicy = .standard.unhurried) async throws {
        let folder = try TemporaryFolder()
        _ = try await bench.session.trackedDownload(
            from: url, to: folder.url("x"), policy: policy, manager: bench.manager, onEvent: events.add)
    }

    @Test(arguments: [false, true]) func aSecondAttempt(isResumable: Bool) async throws {
        let server = try LoopbackServer()
        let file = isResumable ? file.ranged(entityTag: "\"v1\"") : file
        server.on("/", file.cut(.close, after: 100_000), file)
        // The time stands still, so no progress is due between the first and the last bytes of an attempt.
        var policy = TrackedRetryPolicy.standard.on(TestClock())
        policy.backoffBase = .zero
        try await download(server.url("/"), policy)
        let offset: Int64 = isResumable ? 100_000 : 0
        #expect(progress.map(\.completedBytes) == [0, 100_000, offset, Int64(Self.size)])
        #expect(progress.allSatisfy { $0.totalBytes == Int64(Self.size) })
    }

    @Test(arguments: [false, true]) func theLastProgressHasATotal(isChunked: Bool) async throws {
        let server = try LoopbackServer()
        server.on("/", isChunked ? file.chunked() : file)
        let whole = TransferProgress(completedBytes: Int64(Self.size), totalBytes: Int64(Self.size))
        try await download(server.url("/"))
        #expect(progress.last == whole)
        _ = try await bench.session.trackedData(
            from: server.url("/"), policy: .singleAttempt.unhurried, manager: bench.manager, onEvent: events.add)
        #expect(progress.last == whole)
    }

    @Test func anIncompleteBodyOfUnknownLengthHasNoTotal() async throws {
        let server = try LoopbackServer()
        server.on("/", file.chunked().cut(.close, after: 100_000))
        server.on("/404", .status(404))
        for path in ["/", "/404"] {
            #expect(await failure { try await download(server.url(path), .singleAttempt.unhurried) } != nil)
        }
        #expect(!progress.isEmpty && progress.allSatisfy { $0.totalBytes == nil })
    }
}
