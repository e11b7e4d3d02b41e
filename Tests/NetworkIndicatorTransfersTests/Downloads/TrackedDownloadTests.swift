import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTestKit
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.serialized, .timeLimit(.minutes(10)))
struct TrackedDownloadTests {
    private let bench = Bench()
    private let server: LoopbackServer
    private static let size = 300_000
    private let file = Response.generated(size: size, seed: 1)
    private let whole = Body.generated(size: size, seed: 1).bytes(in: 0..<size)

    init() throws {
        server = try LoopbackServer()
        server.on("/", file)
    }

    private func download() async throws -> (bytes: [UInt8], response: HTTPURLResponse) {
        let (url, response) = try await bench.session.trackedDownload(
            from: server.url("/"), policy: .standard.unhurried, manager: bench.manager, onEvent: bench.onEvent)
        defer { try? FileManager.default.removeItem(at: url) }
        return (Array(try Data(contentsOf: url)), try #require(response as? HTTPURLResponse))
    }

    private var ranges: [[String?]] { server.requests("/").map { [$0.headers["Range"], $0.headers["If-Range"]] } }

    /// The file has its name at the end of the attempt. Otherwise, it would hold a descriptor until a thread is free.
    @Test func aWholeFile() async throws {
        let folder = try TemporaryFolder()
        let name = folder.url("x")
        let (events, names) = (Log<String>(), Log<[String]>())
        let observer = NotificationCenter.default.addObserver(
            forName: .networkRequestDidFinish, object: bench.manager, queue: nil
        ) { _ in names.add(folder.names) }
        defer { NotificationCenter.default.removeObserver(observer) }
        let (url, response) = try await bench.session.trackedDownload(
            from: server.url("/"), to: name, manager: bench.manager
        ) { event in
            switch event {
            case .started: events.add("started")
            case .receiving: events.add("receiving")
            case .progress(let progress): events.add("\(progress.completedBytes)")
            case .finished: events.add("finished, \((try? Data(contentsOf: name))?.count ?? 0)")
            default: break
            }
        }
        #expect(url == name && (response as? HTTPURLResponse)?.statusCode == 200)
        #expect(try Array(Data(contentsOf: name)) == whole)
        #expect(events.entries.prefix(2) == ["started", "receiving"])
        #expect(events.entries.suffix(2) == ["\(Self.size)", "finished, \(Self.size)"])
        #expect(names.entries == [["x"]] && bench.manager.entryCount == 0)
    }

    /// The events of a short body wait for the next ones, because it usually arrives with its response.
    @Test func aLongBodyThatDoesNotArrive() async throws {
        server.on("/", .generated(size: 20_000).cut(.stall, after: 0))
        let events = Log<String>()
        let call = Task {
            try await bench.session.trackedDownload(from: server.url("/"), manager: bench.manager) {
                events.add("\($0)")
            }
        }
        await events.reached(3)
        #expect(events.entries.last == "progress(0 of 20 kB)")
        call.cancel()
        _ = await call.result
    }

    /// On the cooperative pool, as many blocking calls as there are threads would stop every Swift task.
    @Test func workThatBlocksLeavesTheThreadPoolFree() async throws {
        let (release, count) = (DispatchSemaphore(value: 0), 100)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask { try? await DispatchQueue(label: "\(number)").run { release.wait() } }
            }
            group.addTask {
                await Task.detached { for _ in 0..<count { release.signal() } }.value
            }
        }
    }

    @Test func theTaskNamesItsLabelAndTheCallersLine() async throws {
        server.on("/", .reset, file)
        let monitor = RecordingMonitor()
        bench.manager.attach(monitor: monitor)
        let line: UInt = #line + 1
        let (url, _) = try await bench.session.trackedDownload(
            for: URLRequest("GET", server.url("/")), policy: .standard.unhurried, manager: bench.manager, label: "L")
        try FileManager.default.removeItem(at: url)
        let begins = monitor.events.compactMap { if case .began(let task) = $0 { task } else { nil } }
        let text = "L, GET \(server.url("/")), begun at \(#fileID):\(line)"
        #expect(begins.map(\.description) == [text, text] && begins.allSatisfy { $0.label == "L" })
    }

    @Test func aFileThatIsSkipped() async throws {
        let folder = try TemporaryFolder()
        let name = folder.url("x")
        try Data("old".utf8).write(to: name)
        var options = DownloadOptions()
        options.existingFile = .skip
        let (url, response) = try await bench.session.trackedDownload(
            from: server.url("/"), to: name, options: options, manager: bench.manager, onEvent: bench.onEvent)
        #expect(url == name && response.expectedContentLength == 3 && !(response is HTTPURLResponse))
        #expect(try Data(contentsOf: name) == Data("old".utf8) && folder.names == ["x"])
        #expect(server.requests.isEmpty && bench.events.entries == [.finished])
    }

    // MARK: Resumed downloads

    @Test(arguments: [true, false]) func aStatusThatIsRetriedKeepsThePart(isLast: Bool) async throws {
        let ranged = file.ranged(entityTag: "\"1\"")
        server.on("/", ranged.cut(.close, after: 100_000), .unavailable(), isLast ? .unavailable() : ranged)
        let (url, response) = try await bench.session.trackedDownload(
            from: server.url("/"), policy: .retryingServerErrors.unhurried, manager: bench.manager)
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(ranges == [[nil, nil]] + Array(repeating: ["bytes=100000-", "\"1\""], count: 2))
        #expect((response as? HTTPURLResponse)?.statusCode == (isLast ? 503 : 200))
        #expect(try Array(Data(contentsOf: url)) == (isLast ? [] : whole))
    }

    @Test(arguments: ["another tag", "too much", "too much in chunks"])
    func aServerThatSendsAnotherRest(kind: String) async throws {
        let isTooLong = kind.hasPrefix("too much")
        var rest = Response(status: 206, body: .bytes(whole[100_000...] + (isTooLong ? [0] : [])))
        rest.headers["ETag"] = isTooLong ? "\"v1\"" : "\"v2\""
        rest.headers["Content-Range"] = "bytes 100000-299999/300000"
        let earlier = Response.generated(size: Self.size, seed: isTooLong ? 1 : 2).ranged(entityTag: "\"v1\"")
        server.on("/", earlier.cut(.close, after: 100_000), kind.hasSuffix("chunks") ? rest.chunked() : rest, file)
        #expect(try await download().bytes == whole)
        #expect(ranges == [[nil, nil], ["bytes=100000-", "\"v1\""], [nil, nil]])
        // A response whose head shows that it doesn't continue the file costs no attempt.
        #expect(bench.events.entries.count { $0 != .finished } == (kind.hasSuffix("chunks") ? 5 : 3))
    }

    @Test(arguments: [(404, true), (503, true), (304, true), (401, false), (407, false)])
    func anErrorEndsAtOnce(status: Int, stalls: Bool) async throws {
        let headers: HTTPHeaders = ["WWW-Authenticate": "Basic realm=\"x\""]
        let response = Response(status: status, headers: headers, body: .generated(size: 1 << 40, seed: 1))
        server.on("/", stalls ? response.cut(.stall, after: 10) : response)
        let folder = try TemporaryFolder()
        try Data("old".utf8).write(to: folder.url("x"))
        let error = await failure {
            try await bench.session.trackedDownload(
                for: URLRequest("GET", server.url("/"), timeout: 3_600), to: folder.url("x"), policy: .singleAttempt,
                manager: bench.manager)
        }
        #expect((error as? DownloadError)?.description == HTTPURLResponse.reason(status))
        #expect(try folder.names == ["x"] && Data(contentsOf: folder.url("x")) == Data("old".utf8))
        // A response with the status 304 has no body, so libcurl keeps its connection.
        if status != 304 { await server.connectionsEnded() }
    }
}
