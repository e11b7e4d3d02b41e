import Foundation
import NetworkIndicator
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized)
struct MainSchedulerTests {
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
    }

    /// A busy machine can delay the changes in some runs, but not in all.
    @Test(arguments: Host.allCases)
    func theIndicatorFollowsAnObject(host: Host) async throws {
        var delays: [[Int]] = []
        repeat {
            let lines = try await host.lines("waiting")
            try #require(lines.map { $0[1] } == ["off", "began", "on", "ended", "off"])
            let times = lines.compactMap { Int($0[0]) }
            delays.append([times[2] - times[1], times[4] - times[3]])
            // Times are truncated.
            if (99..<500).contains(delays.last![0]), (299..<1_000).contains(delays.last![1]) { return }
        } while delays.count < 10
        Issue.record("The delays aren't those of the configuration: \(delays)")
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
}
