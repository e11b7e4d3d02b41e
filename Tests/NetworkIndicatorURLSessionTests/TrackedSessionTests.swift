import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTestKit
import NetworkIndicatorURLSession
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Servers outlive the tasks, as in ``TrackedTaskTests``.
@Suite("A session tracked as a whole", .serialized, .timeLimit(.minutes(10)))
struct TrackedSessionTests {
    private let manager = NetworkIndicatorManager(configuration: .immediate)
    private let monitor = RecordingMonitor()

    init() {
        manager.addMonitor(monitor)
    }

    /// The begins that the monitor has received. Another thread may still deliver some until the manager is idle. A task
    /// that is resumed late, because the machine is busy, begins more than once.
    private var begun: [String] { monitor.log.filter { $0.hasPrefix("began") } }

    private func session(
        _ configuration: URLSessionConfiguration = .ephemeral, delegate: (any URLSessionDelegate)? = nil
    ) -> URLSession {
        .tracked(configuration: configuration, delegate: delegate, manager: manager)
    }

    @Test("Every way to make a task tracks it once")
    func everyFactory() async throws {
        let session = session()
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        let file = URL(filePath: "/etc/hosts")
        let tasks: [URLSessionTask] = [
            session.dataTask(with: url), session.dataTask(with: request),
            session.dataTask(with: url) { _, _, _ in }, session.dataTask(with: request) { _, _, _ in },
            session.uploadTask(with: request, from: Data()), session.uploadTask(with: request, fromFile: file),
            session.uploadTask(with: request, from: Data()) { _, _, _ in },
            session.uploadTask(with: request, fromFile: file) { _, _, _ in },
            session.uploadTask(withStreamedRequest: request),
            session.downloadTask(with: url), session.downloadTask(with: request),
            session.downloadTask(with: url) { _, _, _ in }, session.downloadTask(with: request) { _, _, _ in },
        ]
        let methods = ["GET", "PUT", "GET", "PUT", "PUT", "PUT", "PUT", "PUT", "PUT", "GET", "PUT", "GET", "PUT"]
        for task in tasks { task.cancel() }
        try await manager.waitUntilIdle()
        #expect(begun == methods.map { "began \($0) http://127.0.0.1:1/" })
        let infos = monitor.events.compactMap { if case .began(let info) = $0 { info } else { nil } }
        #expect(Set(infos.map(\.fileID)) == ["NetworkIndicatorURLSessionTests/TrackedSessionTests.swift"])
        #expect(monitor.misuses.isEmpty)
    }

    @Test("Tasks with completion handlers end")
    func completionHandlers() async throws {
        let server = try LoopbackServer()
        server.on("/") { .bytes($0.body + Array("Hello".utf8)) }
        let session = session()
        let (ended, sizes) = (Log<String>(), Log<Int>())
        let url = server.url("/")
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        let tasks: [URLSessionTask] = [
            session.dataTask(with: url) { data, _, _ in
                sizes.add(data?.count ?? -1)
                ended.add("data")
            },
            session.uploadTask(with: request, from: Data([1, 2, 3])) { data, _, _ in
                sizes.add(data?.count ?? -1)
                ended.add("upload")
            },
            session.downloadTask(with: url) { file, _, _ in
                sizes.add(file.flatMap { try? Data(contentsOf: $0) }?.count ?? -1)
                // URLSession on Linux doesn't remove the file.
                if let file { try? FileManager.default.removeItem(at: file) }
                ended.add("download")
            },
        ]
        for task in tasks { task.resume() }
        try await manager.waitUntilIdle()
        #expect(Set(ended.entries) == ["data", "upload", "download"])
        #expect(sizes.entries.sorted() == [5, 5, 8])
        #expect(begun.count >= 3)
    }

    @Test("The delegate receives all calls, with the tracked session")
    func delegates() async throws {
        let server = try LoopbackServer()
        server.on("/", .text("Hello"))
        let delegate = SessionDelegate()
        let session = session(delegate: delegate)
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "PUT"
        let tasks: [URLSessionTask] = [
            session.dataTask(with: server.url("/")), session.uploadTask(with: request, from: Data([1])),
            session.downloadTask(with: server.url("/")),
        ]
        for task in tasks { task.resume() }
        try await manager.waitUntilIdle()
        await delegate.ends.reached(3)
        #expect(delegate.bytes.entries.reduce(0, +) == 15)
        #expect(delegate.ends.entries.allSatisfy { $0 === session })
        #expect(begun.count >= 3)
        session.finishTasksAndInvalidate()
    }

    @Test("WebSockets, background service and requests that the caller excludes are not tracked")
    func exclusions() async throws {
        let session = URLSession.tracked(manager: manager) { $0.url?.path() != "/events" }
        var background = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
        background.networkServiceType = .background
        let configuration = URLSessionConfiguration.ephemeral
        configuration.networkServiceType = .background
        let tasks: [URLSessionTask] = [
            session.dataTask(with: try #require(URL(string: "http://127.0.0.1:1/events"))),
            session.dataTask(with: background), session.dataTask(with: try #require(URL(string: "data:,x"))),
            session.webSocketTask(with: try #require(URL(string: "ws://127.0.0.1:1/"))),
            self.session(configuration).dataTask(with: try #require(URL(string: "http://127.0.0.1:1/"))),
        ]
        for task in tasks { task.cancel() }
        try await manager.waitUntilIdle()
        #expect(begun.isEmpty)
    }

    @Test("Invalidation ends open tasks")
    func invalidation() async throws {
        let server = try LoopbackServer()
        let (asked, ended) = (Log<Bool>(), Log<Bool>())
        server.on("/") { _ in
            asked.add(true)
            return .silence
        }
        let session = session()
        for _ in 1...5 { session.dataTask(with: server.url("/")) { _, _, _ in ended.add(true) }.resume() }
        await asked.reached(5)
        #expect(manager.activeTaskCount == 5)
        session.invalidateAndCancel()
        try await manager.waitUntilIdle()
        await ended.reached(5)
    }

    @Test("Tasks of a released session continue and end")
    func dropped() async throws {
        let server = try LoopbackServer()
        let ended = Log<Bool>()
        server.on("/", .text("Hello").delayed(by: .milliseconds(50)))
        do {
            let session = session()
            for _ in 1...5 { session.dataTask(with: server.url("/")) { _, _, _ in ended.add(true) }.resume() }
        }
        try await manager.waitUntilIdle()
        #expect(ended.entries.count == 5)
        #expect(begun.count >= 5)
    }

    @Test("Five hundred tasks at once, made on many threads")
    func fiveHundred() async throws {
        let server = try LoopbackServer()
        server.on("/", .text("Hello"))
        let ended = Log<Bool>()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 50
        let session = session(configuration)
        let url = server.url("/")
        DispatchQueue.concurrentPerform(iterations: 500) { _ in
            session.dataTask(with: url) { data, _, _ in ended.add(data == Data("Hello".utf8)) }.resume()
        }
        try await manager.waitUntilIdle()
        #expect(ended.entries.count == 500)
        #expect(!ended.entries.contains(false))
        #expect(begun.count >= 500)
        #expect(monitor.misuses.isEmpty)
    }

    @Test("Neither the session nor its tasks retain the manager")
    func retainsNoManager() throws {
        var manager: NetworkIndicatorManager? = NetworkIndicatorManager(configuration: .immediate)
        weak var weakly: NetworkIndicatorManager?
        weakly = manager
        let session = URLSession.tracked(manager: try #require(manager))
        let task = session.dataTask(with: try #require(URL(string: "http://127.0.0.1:1/")))
        manager = nil
        // The main thread may use the manager at this moment.
        #expect(WatchedProcess.wait(until: { weakly == nil }))
        task.cancel()
        session.dataTask(with: try #require(URL(string: "http://127.0.0.1:1/"))).cancel()
    }
}

private final class SessionDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    let bytes = Log<Int>()
    /// The session of each task that ended.
    let ends = Log<URLSession>()

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        bytes.add(data.count)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        bytes.add((try? Data(contentsOf: location))?.count ?? -1)
        try? FileManager.default.removeItem(at: location)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        ends.add(session)
    }
}
