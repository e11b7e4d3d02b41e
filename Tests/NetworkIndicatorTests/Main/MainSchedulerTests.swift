import Foundation
import TestSupport
import Testing

/// Runs the same scenarios with every kind of host for the main thread, in real time and in subprocesses.
///
/// With the environment variable `NIGHTLY`, the tests also compare times. They repeat runs that the machine delayed.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct MainSchedulerTests {
    private static let isNightly = ProcessInfo.processInfo.environment["NIGHTLY"] != nil

    enum Host: String, CaseIterable, Sendable {
        case runLoop, runLoopSlices, dispatchMain, nestedRunLoop, handover, asyncMain, topLevelAwait

        func run(_ scenario: String) async throws -> Run {
            let process =
                switch self {
                case .asyncMain: try await WatchedProcess.run("AsyncMainHost", [scenario])
                case .topLevelAwait: try await WatchedProcess.run("TopLevelAwaitHost", [scenario])
                default: try await WatchedProcess.run("SyncHost", [rawValue, scenario])
                }
            try #require(process.end == .exited(0), "\(process)")
            #expect(process.errors == "")
            return try Run(process.output)
        }
    }

    /// The lines that a host printed. Each line has the milliseconds since the start, and an event. The indicator's
    /// first event is "off".
    struct Run {
        let events: [String]
        let times: [String: Int]
        /// The longest delay of the host's threads, in milliseconds.
        let stall: Int

        init(_ output: String) throws {
            let lines = output.split(separator: "\n").map { $0.split(separator: " ") }
            events = lines.dropLast().map { String($0[1]) }
            times = Dictionary(lines.map { (String($0[1]), Int($0[0]) ?? -1) }) { $1 }
            stall = try #require(lines.last?.last.flatMap { Int($0) }, "\(output)")
        }

        var indicator: [String] { events.filter { ["on", "off"].contains($0) } }
    }

    private struct TooBusy: Error, CustomStringConvertible {
        let description = "the machine was too busy for a result"
    }

    @Test(arguments: Host.allCases)
    func theIndicatorFollowsAnObject(host: Host) async throws {
        #expect(try await host.run("waiting").events == ["off", "began", "on", "ended", "off"])
    }

    // MARK: Times

    /// Returns the first run in which the machine hardly delayed the threads. That choice doesn't depend on the
    /// manager.
    private func undisturbedRun(_ host: Host, _ scenario: String) async throws -> Run {
        let end = SuspendingClock().now.advanced(by: .seconds(240))
        repeat {
            let run = try await host.run(scenario)
            if run.stall < 40 { return run }
        } while SuspendingClock().now < end
        throw TooBusy()
    }

    @Test(.enabled(if: isNightly), arguments: Host.allCases)
    func theDelaysAreThoseOfTheConfiguration(host: Host) async throws {
        let run = try await undisturbedRun(host, "operation")
        try #require(run.indicator == ["off", "on", "off"])
        let times = try ["began", "ended", "on", "off"].map { try #require(run.times[$0]) }
        // After the show delay, several threads must run in turn, and each of them may be late.
        #expect((100...180 + 4 * run.stall).contains(times[2] - times[0]), "\(run)")
        // The indicator goes off after the hide delay, and at most 1.1 check intervals later. Times are truncated to
        // whole milliseconds.
        #expect((299...1430 + 4 * run.stall).contains(times[3] - times[1]), "\(run)")
    }

    @Test(.enabled(if: isNightly), arguments: ["longTasksShortPauses", "shortTasksShortPauses"])
    func tasksWithShortPausesShowOnce(scenario: String) async throws {
        #expect(try await undisturbedRun(.runLoop, scenario).indicator == ["off", "on", "off"])
    }

    @Test(.enabled(if: isNightly), arguments: ["rareTasks", "droppedEarly"], [Host.runLoop, .dispatchMain])
    func littleUseDoesNotShow(scenario: String, host: Host) async throws {
        #expect(try await undisturbedRun(host, scenario).indicator == ["off"])
    }
}
