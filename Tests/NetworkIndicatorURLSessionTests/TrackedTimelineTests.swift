import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTestKit
import NetworkIndicatorTracing
import NetworkIndicatorURLSession
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor
@Suite("Tracked tasks in a timeline")
struct TrackedTimelineTests {
    @Test("The row has the URL, and the slice lasts from tracked() to the first poll after the end")
    func timeline() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let scheduler = ManualScheduler()
        let manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        let recorder = try TimelineRecorder(writingTo: file, scheduler: scheduler)
        manager.addMonitor(recorder)
        let server = try LoopbackServer()
        let (responses, ended) = (DispatchSemaphore(value: 0), Log<Bool>())
        server.on("/") { _ in
            responses.wait()
            return .text("Hello")
        }

        scheduler.advance(by: .seconds(2))
        let session = URLSession.tracked(manager: manager)
        let task = session.dataTask(with: server.url("/")) { _, _, _ in ended.add(true) }
        task.resume()
        scheduler.advance(by: .milliseconds(3500))
        responses.signal()
        await ended.reached(1)
        let start = ContinuousClock.now
        while task.state != .completed, start.duration(to: .now) < .seconds(60) { await Task.yield() }
        scheduler.advance(by: .seconds(1))
        try recorder.finish()

        let name = "GET \(server.url("/"))"
        let trace = try Trace(contentsOf: file)
        // The task ends 3.5 s after its begin. Between 3.2 s and 6.4 s, the manager polls every 0.4 s.
        #expect(
            trace.rows(named: name).map(\.slices) == [[Trace.Slice(name: name, begin: 2_000_000, end: 5_600_000)]])
        #expect(
            trace.rows(named: "indicator").first?.slices.first
                == Trace.Slice(name: "on", begin: 2_100_000, end: 5_900_000))
    }
}
