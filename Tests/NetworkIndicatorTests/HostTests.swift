import TestSupport
import Testing

/// The same stories in every kind of host that the main thread can have, in real time and in subprocesses.
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

    /// What a host printed: milliseconds since the start, and what happened.
    struct Run {
        let times: [String: Int]
        let indicator: [String]

        init(_ output: String) {
            let lines = output.split(separator: "\n").map { $0.split(separator: " ") }
            times = Dictionary(lines.map { (String($0[1]), Int($0[0]) ?? -1) }) { first, _ in first }
            indicator = lines.map { String($0[1]) }.filter { ["on", "off"].contains($0) }
        }
    }

    /// Runs a host until there is a run that the machine itself did not hold up.
    ///
    /// - Parameter isPrompt: Whether the run itself says that it was not: where it is held up every time, it is not the
    ///   machine.
    private func run(_ host: Host, _ plot: String, _ isPrompt: (Run) throws -> Bool = { _ in true }) async throws -> Run
    {
        for _ in 0..<8 {
            let process = try await WatchedProcess.run(
                host.command.product, host.command.arguments + [plot])
            try #require(process.end == .exited(0), "\(process)")
            #expect(process.errors == "")
            let stall = try #require(process.output.split(separator: " ").last.flatMap { Int($0.dropLast()) })
            let run = Run(process.output)
            if stall < 40, try isPrompt(run) { return run }
        }
        throw MachineTooBusy()
    }

    /// Every run was held up for longer than the times that are to be told apart: by other programs, or by itself.
    struct MachineTooBusy: Error {}

    @Test(arguments: Host.allCases)
    func operation(host: Host) async throws {
        _ = try await run(host, "operation") { run in
            try #require(run.indicator == ["on", "off"])
            let began = try #require(run.times["began"])
            let ended = try #require(run.times["ended"])
            let on = try #require(run.times["on"])
            let off = try #require(run.times["off"])
            // After the show delay, and after the hide delay. (The times are whole milliseconds.)
            #expect(on - began >= 100)
            #expect(off - ended >= 299)
            // Soon after it; and within the check interval as well, plus a tenth.
            return on - began <= 180 && off - ended <= 1430
        }
    }

    @Test(arguments: ["longTasksShortPauses", "shortTasksShortPauses"])
    func tasksWithShortPausesShowOnce(plot: String) async throws {
        let run = try await run(.runLoop, plot)
        #expect(run.indicator == ["on", "off"])
    }

    @Test(arguments: ["rareTasks", "droppedEarly"], [Host.runLoop, .dispatchMain])
    func littleUseDoesNotShow(plot: String, host: Host) async throws {
        let run = try await run(host, plot)
        #expect(run.indicator == [])
    }
}
