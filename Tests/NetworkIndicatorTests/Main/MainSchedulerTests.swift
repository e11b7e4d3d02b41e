import Foundation
import NetworkIndicator
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized)
struct MainSchedulerTests {
    private static let isNightly = ProcessInfo.processInfo.environment["NIGHTLY"] != nil
    private static let reason: Comment = "It measures times. To run it, set the environment variable NIGHTLY."

    enum Host: String, CaseIterable, Sendable {
        case runLoop, runLoopSlices, dispatchMain, nestedRunLoop, handover, asyncMain

        func lines(_ scenario: String) async throws -> [[Substring]] {
            let process =
                switch self {
                case .asyncMain: try await WatchedProcess.run("AsyncMainHost", [scenario])
                default: try await WatchedProcess.run("SyncHost", [rawValue, scenario])
                }
            try #require(process.end == .exited(0), "\(process)")
            #expect(process.errors == "")
            return process.output.split(separator: "\n").map { $0.split(separator: " ") }
        }

        func run(_ scenario: String) async throws -> Run { try Run(await lines(scenario)) }
    }

    struct Run {
        let events: [String]
        let times: [String: Int]
        /// In milliseconds.
        let stall: Int

        init(_ lines: [[Substring]]) throws {
            events = lines.dropLast().map { String($0[1]) }
            times = Dictionary(lines.map { (String($0[1]), Int($0[0]) ?? -1) }) { $1 }
            stall = try #require(lines.last?.last.flatMap { Int($0) }, "\(lines)")
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

    @Test(arguments: [Host.runLoop, .runLoopSlices, .nestedRunLoop])
    func workThatRunsANestedRunLoopDelaysNoOtherWork(host: Host) async throws {
        let events = try await host.lines("nesting").map { $0[1] }
        #expect(events == ["hop3", "hop2", "hop1", "tick3", "tick2", "tick1"])
    }

    /// In a nested run loop, the main queue keeps its blocks until the loop ends, so the heap grows.
    @Test(arguments: [Host.runLoop, .runLoopSlices])
    func workThatSubmitsWorkDoesNotStarveTheRunLoop(host: Host) async throws {
        #expect(try await host.lines("chains").map { $0.dropFirst().joined(separator: " ") } == ["passed"])
    }

    /// The other hosts accumulate memory without a manager. In slices, `RunLoop.run(mode:before:)` leaks about 120
    /// bytes a call; in a block of the main queue, the queue keeps its work until the block ends.
    @Test(arguments: [Host.runLoop, .dispatchMain])
    func memoryDoesNotGrow(host: Host) async throws {
        let growth = try await host.lines("growth")
        let loads = ["turns", "cycles", "objects", "managers", "everything"]
        #expect(growth.map { $0.dropFirst().joined(separator: " ") } == loads.map { "\($0) stays" })
    }

    /// Without a run loop, each block of the main queue runs one closure.
    @Test func theWorkOfManyThreadsIsDone() async {
        let (scheduler, count) = (MainScheduler(), Lock(0))
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<5_000 { scheduler.performOnMain { count.withLock { $0 += 1 } } }
        }
        await withCheckedContinuation { end in DispatchQueue.main.async { end.resume() } }
        #expect(count.withLock { $0 } == 20_000)
    }

    // MARK: Times

    private func undisturbedRun(_ host: Host) async throws -> Run {
        let end = SuspendingClock().now.advanced(by: .seconds(240))
        repeat {
            let run = try await host.run("operation")
            if run.stall < 40 { return run }
        } while SuspendingClock().now < end
        throw TooBusy()
    }

    @Test(.enabled(if: isNightly, reason), arguments: Host.allCases)
    func theDelaysAreThoseOfTheConfiguration(host: Host) async throws {
        let run = try await undisturbedRun(host)
        try #require(run.indicator == ["off", "on", "off"])
        let times = try ["began", "ended", "on", "off"].map { try #require(run.times[$0]) }
        // After the show delay, several threads run one after another. Each may be late, so the upper limit includes
        // four times the measured stall.
        #expect((100...180 + 4 * run.stall).contains(times[2] - times[0]), "\(run)")
        // The upper limit allows 1.1 check intervals for the detection, and the lower limit allows for truncated times.
        #expect((299...1430 + 4 * run.stall).contains(times[3] - times[1]), "\(run)")
    }
}
