import TestSupport
import Testing

/// The same scenarios with every kind of host for the main thread, in real time and in subprocesses.
@Suite(.timeLimit(.minutes(10)))
struct HostTests {
    enum Host: String, CaseIterable, Sendable {
        case runLoop, runLoopSlices, dispatchMain, nestedRunLoop, handover, asyncMain, topLevelAwait

        var command: (product: String, arguments: [String]) {
            switch self {
            case .asyncMain: ("AsyncMainHost", [])
            case .topLevelAwait: ("TopLevelAwaitHost", [])
            default: ("SyncHost", [rawValue])
            }
        }
    }

    /// The lines that a host printed: each has the milliseconds since the start, and an event. The first value of an
    /// indicator is "off".
    struct Run {
        let times: [String: Int]
        let indicator: [String]
        /// The longest delay of the host's threads, in milliseconds.
        let stall: Int

        init(_ output: String) throws {
            let lines = output.split(separator: "\n").map { $0.split(separator: " ") }
            times = Dictionary(lines.map { (String($0[1]), Int($0[0]) ?? -1) }) { $1 }
            indicator = lines.map { String($0[1]) }.filter { ["on", "off"].contains($0) }
            stall = try #require(lines.last?.last.flatMap { Int($0) }, "\(output)")
        }
    }

    /// Returns the first run that the machine doesn't disturb. The manager doesn't affect that choice.
    private func run(_ host: Host, _ scenario: String) async throws -> Run {
        let end = SuspendingClock().now.advanced(by: .seconds(240))
        repeat {
            let process = try await WatchedProcess.run(
                host.command.product, host.command.arguments + [scenario])
            try #require(process.end == .exited(0), "\(process)")
            #expect(process.errors == "")
            let run = try Run(process.output)
            if run.stall < 40 { return run }
        } while SuspendingClock().now < end
        throw TooBusy()
    }

    private struct TooBusy: Error, CustomStringConvertible {
        let description = "the machine was too busy for a result"
    }

    @Test(arguments: Host.allCases)
    func operation(host: Host) async throws {
        let run = try await run(host, "operation")
        try #require(run.indicator == ["off", "on", "off"])
        let began = try #require(run.times["began"])
        let ended = try #require(run.times["ended"])
        let on = try #require(run.times["on"])
        let off = try #require(run.times["off"])
        // After the show delay, several threads must run, and each of them may be late.
        #expect((100...180 + 4 * run.stall).contains(on - began), "\(run)")
        // The indicator goes off after the hide delay, and at most 1.1 check intervals later. Times are whole
        // milliseconds.
        #expect((299...1430 + 4 * run.stall).contains(off - ended), "\(run)")
    }

    @Test(arguments: ["longTasksShortPauses", "shortTasksShortPauses"])
    func tasksWithShortPausesShowOnce(scenario: String) async throws {
        #expect(try await run(.runLoop, scenario).indicator == ["off", "on", "off"])
    }

    @Test(arguments: ["rareTasks", "droppedEarly"], [Host.runLoop, .dispatchMain])
    func littleUseDoesNotShow(scenario: String, host: Host) async throws {
        #expect(try await run(host, scenario).indicator == ["off"])
    }
}
