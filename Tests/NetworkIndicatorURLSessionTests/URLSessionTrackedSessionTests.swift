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

/// Each server must outlive its tasks, because URLSession on Linux can trap if a connection closes during a
/// cancellation.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10)))
struct URLSessionTrackedSessionTests {
    private let scheduler = ManualScheduler()
    private let manager: NetworkIndicatorManager
    private let monitor = RecordingMonitor()
    private let url = URL(string: "http://127.0.0.1:1/")!

    init() {
        manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        manager.attach(monitor: monitor)
    }

    private var begun: [String] { monitor.log.filter { $0.hasPrefix("began") } }

    private func session(
        _ configuration: URLSessionConfiguration = .ephemeral, delegate: (any URLSessionDelegate)? = nil
    ) -> URLSession {
        .tracked(configuration: configuration, delegate: delegate, manager: manager)
    }

    @Test func everyMethodThatCreatesATaskTracksItOnce() async throws {
        let session = session()
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
        #expect(manager.activeTaskCount == 0)
        #expect(monitor.misuses.isEmpty)
        #expect(begun == methods.map { "began \($0) http://127.0.0.1:1/" })
        let infos = monitor.events.compactMap { if case .began(let info) = $0 { info } else { nil } }
        #expect(Set(infos.map(\.fileID)) == [#fileID])
    }

    /// On Linux, the state of a task is `running` until the task's completion handler has returned.
    @Test func aTaskEndsBeforeItsCompletionHandler() async throws {
        let server = try LoopbackServer()
        server.on("/", .text("Hello"))
        let session = session()
        let (began, sizes, release) = (Log<Bool>(), Log<Int>(), DispatchSemaphore(value: 0))
        let handler: @Sendable (Data?) -> Void = { data in
            began.add(true)
            release.wait()
            sizes.add(data?.count ?? -1)
        }
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "POST"
        let tasks: [URLSessionTask] = [
            session.dataTask(with: server.url("/")) { data, _, _ in handler(data) },
            session.uploadTask(with: request, from: Data([1, 2, 3])) { data, _, _ in handler(data) },
            session.downloadTask(with: server.url("/")) { file, _, _ in
                handler(file.flatMap { try? Data(contentsOf: $0) })
                if let file { try? FileManager.default.removeItem(at: file) }
            },
        ]
        scheduler.advance(by: .milliseconds(50))
        for (index, task) in tasks.enumerated() {
            task.resume()
            await began.reached(index + 1)
            #expect(manager.activeTaskCount == 0)
            release.signal()
            await sizes.reached(index + 1)
        }
        #expect(sizes.entries == [5, 5, 5])
        #expect(begun.count >= 3)
    }

    @Test func theDelegateReceivesAllCalls() async throws {
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
        await delegate.ends.reached(3)
        #expect(delegate.bytes.entries.reduce(0, +) == 15)
        #expect(delegate.ends.entries.allSatisfy { $0 === session })
        #expect(begun.count >= 3)
        session.finishTasksAndInvalidate()
    }

    @Test func excludedTasks() throws {
        let session = URLSession.tracked(manager: manager) { $0.url?.path() != "/events" }
        var background = URLRequest(url: url)
        background.networkServiceType = .background
        let configuration = URLSessionConfiguration.ephemeral
        configuration.networkServiceType = .background
        let tasks: [URLSessionTask] = [
            session.dataTask(with: try #require(URL(string: "http://127.0.0.1:1/events"))),
            session.dataTask(with: background), session.dataTask(with: try #require(URL(string: "data:,x"))),
            session.webSocketTask(with: try #require(URL(string: "ws://127.0.0.1:1/"))),
            self.session(configuration).dataTask(with: url),
        ]
        #expect(begun.isEmpty)
        for task in tasks { task.cancel() }
    }

    @Test func theManagerIsNotRetained() throws {
        var manager: NetworkIndicatorManager? = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        weak var released: NetworkIndicatorManager?
        released = manager
        let session = URLSession.tracked(manager: try #require(manager))
        let task = session.dataTask(with: url)
        manager = nil
        #expect(released == nil)
        task.cancel()
        session.dataTask(with: url).cancel()
    }
}

private final class SessionDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    let bytes = Log<Int>()
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
