import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTestKit
import TestSupport
import Testing

@testable import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor
@Suite(.timeLimit(.minutes(10)))
struct URLSessionTaskTrackedTests {
    private let scheduler = ManualScheduler()
    private let manager: NetworkIndicatorManager
    private let monitor = RecordingMonitor()
    private let session = URLSession(configuration: .ephemeral)
    private let url = URL(string: "http://user:secret@host.invalid/path?query")!

    init() {
        manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        manager.attach(monitor: monitor)
    }

    @Test func diagnosticsNameTheRequestAndTheCall() {
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        let tasks = [session.dataTask(with: url), session.dataTask(with: request), session.dataTask(with: url)]
        tasks[0].tracked(by: manager)
        let line: UInt = #line - 1
        tasks[1].tracked(by: manager)
        tasks[2].tracked(by: manager, label: "Sync", fileID: "App/Sync.swift", line: 12)
        let infos = monitor.events.compactMap { if case .began(let info) = $0 { info } else { nil } }
        #expect(infos.map(\.label) == ["GET http://host.invalid/path", "PUT http://host.invalid/path", "Sync"])
        #expect(infos.map(\.fileID) == [#fileID, #fileID, "App/Sync.swift"])
        #expect(infos.map(\.line) == [line, line + 2, 12])
        for task in tasks { task.cancel() }
    }

    @Test func aLabelReplacesThatOfTheSessionInOneStep() {
        let indicator = RecordingIndicator()
        manager.attach(indicator)
        let task = URLSession.tracked(configuration: .ephemeral, manager: manager).dataTask(with: url)
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

    @Test func aTaskCountsOnceForEachManager() {
        let other = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        let task = StubTask.make()
        for _ in 1...3 { task.tracked(by: manager).tracked(by: other) }
        #expect(manager.activeTaskCount == 1 && other.activeTaskCount == 1)
        scheduler.advance(by: .milliseconds(50))
        #expect(manager.activeTaskCount == 0 && other.activeTaskCount == 0)
        task.tracked(by: manager)
        #expect(manager.activeTaskCount == 1 && other.activeTaskCount == 0)
        #expect(monitor.misuses.isEmpty)
    }

    @Test(arguments: ["data:,x", "FILE:///etc/hosts", "file:///etc/hosts"])
    func localURLsAreNotTracked(address: String) throws {
        let task = session.dataTask(with: try #require(URL(string: address)))
        task.tracked(by: manager)
        #expect(manager.activeTaskCount == 0)
        task.cancel()
    }

    @Test func aCancelledTaskIsNotResumed() async throws {
        let server = try LoopbackServer()
        server.on("/", .text("Hello"))
        let errors = Log<URLError.Code?>()
        let task = session.dataTask(with: server.url("/")) { _, _, error in errors.add((error as? URLError)?.code) }
        task.tracked(by: manager)
        task.cancel()
        task.resume()
        scheduler.advance(by: .seconds(1))
        #expect(manager.activeTaskCount == 0 && scheduler.timerCount == 0)
        await errors.reached(1)
        #expect(errors.entries == [.cancelled])
    }

    @Test func typesOfAssetDownloads() {
        final class AVAssetDownloadTask {}
        final class AVAggregateAssetDownloadTask {}
        final class __NSCFBackgroundAVAssetDownloadTask {}
        final class __NSCFBackgroundAVAggregateAssetDownloadTaskNoChildTask {}
        let types: [any Any.Type] = [
            AVAssetDownloadTask.self, AVAggregateAssetDownloadTask.self, __NSCFBackgroundAVAssetDownloadTask.self,
            __NSCFBackgroundAVAggregateAssetDownloadTaskNoChildTask.self,
        ]
        for type in types { #expect(URLSessionTask.isAssetDownload(type)) }
        for type in [URLSessionTask.self, URLSessionDataTask.self, URLSessionDownloadTask.self] {
            #expect(!URLSessionTask.isAssetDownload(type) && !URLSessionTask.isInBackgroundSession(type))
        }
    }

    // MARK: In real time, in a subprocess

    private func run(_ scene: String, _ count: Int = 1) async throws -> [String: Int] {
        let host = try await WatchedProcess.run("TrackedTaskHost", [scene, "\(count)"], hasOwnTemporaryDirectory: true)
        try #require(host.end == .exited(0), "\(host)")
        let lines = host.output.split(separator: "\n").map { $0.split(separator: ": ").map(String.init) }
        return Dictionary(lines.map { ($0[0], Int($0[1]) ?? ($0[1] == "true" ? 1 : 0)) }) { $1 }
    }

    @Test func waitUntilIdleDoesNotReturnBeforeTheHandler() async throws {
        #expect(try await run("idle-waits", 400) == ["early": 0])
    }

    @Test func aTaskIsShownAfterALateResume() async throws {
        #expect(try await run("late-resumes") == ["shown": 6])
    }

    @Test func parkedTasksShareOneTimer() async throws {
        let report = try await run("parked-tasks", 200)
        let idle = try #require(report["idle"])
        // The limit allows 25 firings a second for 5 s. Each firing wakes Dispatch's timer thread and the main thread.
        #expect(try #require(report["parked"]) <= idle + 25 * 5 * 2, "\(report)")
        #expect(try #require(report["cancelled"]) <= idle + 25, "\(report)")
        #expect(report["tasks"] == 0 && report["loaded off the main thread"] == 0)
        #expect(report["shown"] == 0 || report["held up"] == 1)
    }

    @Test func aStormInATrackedSessionLeavesNoTask() async throws {
        let report = try await run("session-storm", 20)
        #expect(report == ["whole": 66 * 20, "cancelled": 34 * 20, "wrong": 0, "tasks": 0])
    }

    @Test func tasksAreShownWhileTheThreadPoolIsBlocked() async throws {
        #expect(try await run("blocked-pool") == ["blocked": 1, "shown at once": 1, "off": 1, "shown later": 1])
    }
}
