import Foundation
import NetworkIndicator
import NetworkIndicatorTestKit
import NetworkIndicatorTracing
import TestSupport
import Testing

@MainActor
@Suite final class TimelineRecorderTests {
    let scheduler = ManualScheduler()
    let manager: NetworkIndicatorManager
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    let recorder: TimelineRecorder

    init() throws {
        manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        recorder = try TimelineRecorder(writingTo: url, scheduler: scheduler)
        manager.attach(monitor: recorder)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    private func trace() throws -> Trace {
        recorder.flush()
        return try Trace(contentsOf: url)
    }
    private func advance(_ milliseconds: Int) { scheduler.advance(by: .milliseconds(milliseconds)) }

    @Test func onlyLaterTasksOfTheSameNameShareARow() throws {
        for _ in 0..<2 {
            let task = manager.beganNetworkTask(label: "a")
            advance(10)
            task.finish()
        }
        let (first, second) = (manager.beganNetworkTask(label: "a"), manager.beganNetworkTask(label: "a"))
        advance(10)
        first.finish()
        second.finish()
        let rows = try trace().rows(named: "a")
        #expect(rows.map(\.slices.count) == [3, 1])
    }

    @Test func theFileIsValidAfterEachEvent() throws {
        let (url, recorder) = (url, recorder)
        let checked = Lock(0)
        let reader = manager.attach(
            monitor: TextMonitor { _ in
                recorder.flush()
                #expect(throws: Never.self) { try Trace(contentsOf: url) }
                checked.withLock { $0 += 1 }
            })
        final class Object {}
        var object: Object? = Object()
        manager.beganNetworkTask(withToken: object!, label: "object")
        manager.incrementActivityCount()
        advance(100)
        object = nil
        let unfinished = manager.beganNetworkTask(label: "unfinished")
        advance(1000)
        manager.decrementActivityCount()
        manager.decrementActivityCount()
        advance(60_000)
        reader.detach()
        #expect(checked.withLock { $0 } == 8)
        let trace = try trace()
        #expect(trace.rows(named: "unfinished").map(\.slices) == [["unfinished 100.0–"]])
        #expect(trace.rows(named: "unfinished").map(\.instants) == [["still running"]])
        #expect(trace.rows(named: "indicator").first?.instants.count == 1)
        unfinished.finish()
    }

    @Test func finishEndsOpenTasks() throws {
        let task = manager.beganNetworkTask(label: "a")
        advance(10)
        try recorder.finish()
        advance(10)
        task.finish()
        manager.beganNetworkTask(label: "b").finish()
        try recorder.finish()
        let trace = try trace()
        #expect(trace.rows(named: "a").map(\.slices) == [["a 0.0–10.0"]])
        #expect(trace.rows(named: "indicator").map(\.slices) == [["on 0.0–10.0"]])
        #expect(trace.rows(named: "b").isEmpty)
    }

    @Test func aRecorderAddedLateRecordsFromItsStart() throws {
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let task = manager.beganNetworkTask(label: "early")
        advance(10)
        let url = url.appendingPathExtension("late")
        defer { try? FileManager.default.removeItem(at: url) }
        let late = try TimelineRecorder(writingTo: url, scheduler: scheduler)
        manager.attach(monitor: late)
        advance(10)
        task.finish()
        advance(0)
        late.flush()
        let trace = try Trace(contentsOf: url)
        #expect(trace.rows(named: "early").map(\.slices) == [["early 0.0–10.0"]])
        #expect(trace.rows(named: "indicator").map(\.slices) == [[]])
    }

    @Test func slashesAreNotEscaped() throws {
        manager.beganNetworkTask(label: "http://h/a").finish()
        recorder.flush()
        #expect(try String(contentsOf: url, encoding: .utf8).contains("\"http://h/a\""))
    }

    @Test func aPipeReceivesTheEvents() throws {
        let pipe = url.appendingPathExtension("pipe")
        defer { unlink(pipe.path) }
        mkfifo(pipe.path, 0o600)
        let error = #expect(throws: TimelineError.self) { try TimelineRecorder(writingTo: pipe) }
        #expect(error?.reason == "no program reads from this pipe")
        let reader = FileHandle(fileDescriptor: open(pipe.path, O_RDONLY | O_NONBLOCK), closeOnDealloc: true)
        let recorder = try TimelineRecorder(writingTo: pipe, scheduler: scheduler)
        manager.attach(monitor: recorder)
        manager.beganNetworkTask(label: "a").finish()
        try recorder.finish()
        // A process that another test starts can hold a copy of the writing end, so the end of the pipe may come late.
        try reader.availableData.write(to: url)
        #expect(try Trace(contentsOf: url).rows(named: "a").map(\.slices.count) == [1])
    }

    @Test func anUnwritableFileIsNamedInTheError() {
        let url = URL(filePath: "/nowhere/at/all.json")
        let error = #expect(throws: TimelineError.self) { try TimelineRecorder(writingTo: url) }
        #expect(error?.description.hasPrefix("cannot write the timeline to /nowhere/at/all.json: ") == true)
        #expect(error?.reason.isEmpty == false)
    }
}
