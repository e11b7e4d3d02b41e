import Foundation
import LoopbackServer
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The bytes that transfers report.
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

    /// On a clock that stands still, there is one event at the start and one at the end.
    @Test func aDownloadReportsItsStartAndItsEnd() async throws {
        let server = try LoopbackServer()
        server.on("/", file)
        try await download(server.url("/"))
        let total = Int64(Self.size)
        #expect(progress.map(\.completedBytes) == [0, total])
        #expect(progress.map(\.totalBytes) == [total, total])
        #expect(progress.last?.fractionCompleted == 1)
        guard case .finished = events.entries.last else {
            Issue.record("\(events.entries)")
            return
        }
    }

    @Test func progressIsReportedAtMostTenTimesASecond() async throws {
        let clock = ManualTiming()
        let relay = EventRelay(clock.timing) { events.add($0) }
        for count in 0..<1_000 {
            relay.report(TransferProgress(completedBytes: Int64(count)))
            clock.advance(by: .milliseconds(1))
        }
        #expect(progress.map(\.completedBytes) == (0..<10).map { $0 * 100 })
        await relay.endAttempt()
        await relay.endAttempt()
        #expect(progress.last?.completedBytes == 999 && progress.count == 11)
        await relay.finish()
        relay.report(TransferProgress(completedBytes: 0))
        await relay.endAttempt()
        #expect(progress.count == 11)
    }

    /// The first attempt receives everything but the end of the body, and the second one follows within 100 ms.
    @Test func everyAttemptReportsItsProgress() async throws {
        let server = try LoopbackServer()
        server.on("/", file.chunked().cut(.close, after: Self.size), file.chunked())
        var policy = TrackedRetryPolicy.standard.unhurried
        policy.backoffBase = .zero
        try await download(server.url("/"), policy)
        #expect(progress.map(\.completedBytes) == [0, Int64(Self.size), 0, Int64(Self.size)])
    }

    @Test func aContinuedDownloadStartsAtItsOffset() async throws {
        let server = try LoopbackServer()
        let ranged = file.ranged(entityTag: "\"v1\"")
        server.on("/", ranged.cut(.close, after: 100_000), ranged)
        try await download(server.url("/"), .standard.on(ManualTiming(skipsSleeps: true, seed: 7)))
        let counts = progress.map(\.completedBytes)
        #expect(counts == counts.sorted())
        #expect(counts.contains(100_000) && counts.last == Int64(Self.size))
        #expect(progress.allSatisfy { $0.totalBytes == Int64(Self.size) })
    }

    @Test func aDownloadThatStartsOverGoesBackToZero() async throws {
        let server = try LoopbackServer()
        server.on("/", file.cut(.close, after: 100_000), file)
        let clock = ManualTiming(skipsSleeps: true)
        try await download(server.url("/"), .standard.on(clock))
        #expect(progress.map(\.completedBytes) == [0, 100_000, 0, Int64(Self.size)])
        #expect(progress.map(\.isStart) == [true, false, true, false])
    }

    @Test func theLengthOfACompressedBodyIsNoTotal() async throws {
        let server = try LoopbackServer()
        // "Hello" and a line feed, compressed by gzip.
        var response = Response.bytes(
            [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 243, 72, 205, 201, 201, 231, 2, 0, 22, 53, 150, 49, 6, 0, 0, 0])
        response.headers["Content-Encoding"] = "gzip"
        server.on("/", response)
        try await download(server.url("/"))
        #expect(progress.last == TransferProgress(completedBytes: 6))
        #expect(progress.allSatisfy { $0.totalBytes == nil })
    }

    @Test func aBodyOfUnknownLengthHasNoTotal() async throws {
        let server = try LoopbackServer()
        server.on("/", file.chunked())
        try await download(server.url("/"))
        #expect(progress.last == TransferProgress(completedBytes: Int64(Self.size)))
    }

    @Test(arguments: [false, true]) func anUpload(isFile: Bool) async throws {
        let server = try LoopbackServer()
        server.on("/", .reset, .text("much obliged"))
        let body = Data(count: 500_000)
        let request = URLRequest("PUT", server.url("/"))
        let policy = TrackedRetryPolicy.standard.unhurried
        if isFile {
            let folder = try TemporaryFolder()
            try body.write(to: folder.url("x"))
            _ = try await bench.session.trackedUpload(
                for: request, fromFile: folder.url("x"), policy: policy, manager: bench.manager, onEvent: events.add)
        } else {
            _ = try await bench.session.trackedUpload(
                for: request, from: body, policy: policy, manager: bench.manager, onEvent: events.add)
        }
        #expect(progress.last == TransferProgress(completedBytes: 500_000, totalBytes: 500_000))
        // The bytes of the response don't count.
        #expect(progress.allSatisfy { $0.totalBytes == 500_000 })
    }

    @Test func dataReportsWhatArrives() async throws {
        let server = try LoopbackServer()
        server.on("/", file)
        _ = try await bench.session.trackedData(
            from: server.url("/"), policy: .never.unhurried, manager: bench.manager, onEvent: events.add)
        #expect(progress.last == TransferProgress(completedBytes: Int64(Self.size), totalBytes: Int64(Self.size)))
    }
}
