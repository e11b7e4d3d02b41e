import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTestKit
import TestSupport
import Testing

@testable import NetworkIndicatorURLSession

/// Each server must outlive its tasks, because URLSession on Linux can trap if a connection closes during a
/// cancellation.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10)))
struct URLSessionTrackedTests {
    private let scheduler = ManualScheduler()
    private let manager: NetworkIndicatorManager
    private let monitor = RecordingMonitor()
    private let untracked = URLSession(configuration: .ephemeral)
    private let url = URL(string: "http://user:secret@host.invalid/path?query")!

    init() {
        manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        manager.attach(monitor: monitor)
    }

    private var infos: [NetworkTaskInfo] {
        monitor.events.compactMap { if case .began(let info) = $0 { info } else { nil } }
    }

    private func session(
        _ configuration: URLSessionConfiguration = .ephemeral, delegate: (any URLSessionDelegate)? = nil
    ) -> URLSession {
        .tracked(configuration: configuration, delegate: delegate, manager: manager)
    }

    // MARK: Tasks

    @Test func diagnosticsNameTheRequestAndTheCall() {
        let tasks = [untracked.dataTask(with: url), untracked.dataTask(with: url)]
        tasks[0].tracked(by: manager)
        let line: UInt = #line - 1
        tasks[1].tracked(by: manager, label: "Sync", fileID: "App/Sync.swift", line: 12)
        #expect(infos.map(\.label) == ["GET http://host.invalid/path", "Sync"])
        #expect(infos.map(\.fileID) == [#fileID, "App/Sync.swift"])
        #expect(infos.map(\.line) == [line, 12])
        for task in tasks { task.cancel() }
    }

    @Test func aLabelReplacesThatOfTheSessionInOneStep() {
        let indicator = RecordingIndicator()
        manager.attach(indicator)
        let task = session().dataTask(with: url)
        scheduler.advance(by: .zero)
        for number in 1...5 {
            task.tracked(by: manager, label: "\(number)")
            scheduler.advance(by: .zero)
        }
        #expect(manager.activeTasks.map(\.label) == ["5"])
        #expect(monitor.log.filter { !$0.hasPrefix("visible") } == ["began GET http://host.invalid/path"])
        #expect(indicator.history.filter(\.self) == [true] && indicator.isVisible)
        task.cancel()
    }

    @Test func typesOfAssetDownloads() {
        final class AVAssetDownloadTask {}
        final class AVAggregateAssetDownloadTask {}
        final class __NSCFBackgroundAVAggregateAssetDownloadTaskNoChildTask {}
        #expect(URLSessionTask.isAssetDownload(AVAssetDownloadTask.self))
        #expect(URLSessionTask.isAssetDownload(AVAggregateAssetDownloadTask.self))
        #expect(URLSessionTask.isAssetDownload(__NSCFBackgroundAVAggregateAssetDownloadTaskNoChildTask.self))
        for type in [URLSessionTask.self, URLSessionDataTask.self, URLSessionDownloadTask.self] {
            #expect(!URLSessionTask.isAssetDownload(type) && !URLSessionTask.isInBackgroundSession(type))
        }
    }

    // MARK: Sessions

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
        #expect(infos.map(\.label) == methods.map { "\($0) http://host.invalid/path" })
        #expect(Set(infos.map(\.fileID)) == [#fileID])
    }

    /// Tasks of other sessions count immediately, even if they are suspended.
    @Test func theConfigurationRevealsABackgroundSession() {
        #if canImport(FoundationNetworking)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.identifier = "uploads"
        #else
        let configuration = URLSessionConfiguration.background(withIdentifier: "uploads")
        #endif
        let task = session(configuration).downloadTask(with: url)
        #expect(manager.activeTaskCount == 0)
        task.cancel()
    }

    @Test func callsWithoutTracking() async {
        let session = session()
        let task = withoutTracking { session.dataTask(with: url) }
        let (child, other) = await withoutTracking {
            await Task.yield()
            return (session.dataTask(with: url), await Task { session.dataTask(with: url) }.value)
        }
        #expect(manager.activeTaskCount == 0)
        let counted = withoutTracking { session.dataTask(with: url).tracked(by: manager) }
        #expect(manager.activeTaskCount == 1)
        for task in [task, child, other, counted] { task.cancel() }
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
        #expect(infos.count == tasks.count)
    }

    @Test func theDelegateReceivesAllCalls() async throws {
        let server = try LoopbackServer()
        server.on("/", .text("Hello"))
        let delegate = SessionDelegate()
        let session = session(delegate: delegate)
        session.dataTask(with: server.url("/")).resume()
        session.downloadTask(with: server.url("/")).resume()
        await delegate.ends.reached(2)
        #expect(delegate.bytes.entries == [5, 5])
        #expect(delegate.ends.entries.allSatisfy { $0 === session })
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
        for address in ["data:,x", "FILE:///etc/hosts", "file:///etc/hosts"] {
            untracked.dataTask(with: try #require(URL(string: address))).tracked(by: manager).cancel()
        }
        #expect(infos.isEmpty)
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
