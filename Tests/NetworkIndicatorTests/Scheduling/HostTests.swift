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

    /// The lines that a host printed: each has the milliseconds since the start, and an event.
    struct Run {
        let times: [String: Int]
        let indicator: [String]

        init(_ output: String) {
            let lines = output.split(separator: "\n").map { $0.split(separator: " ") }
            times = Dictionary(lines.map { (String($0[1]), Int($0[0]) ?? -1) }) { first, _ in first }
            indicator = lines.map { String($0[1]) }.filter { ["on", "off"].contains($0) }
        }
    }

    /// Repeats a host until the machine doesn't delay a run. After four minutes, it prints that the test is skipped.
    ///
    /// - Parameter isPrompt: Returns whether the indicator changes as soon as it should. If the machine delays the
    ///   host, the run doesn't count. Otherwise one of eight runs must be prompt.
    /// - Returns: The run, or `nil` if the machine delayed all of them.
    private func run(_ host: Host, _ scenario: String, _ isPrompt: (Run) throws -> Bool = { _ in true }) async throws
        -> Run?
    {
        let end = SuspendingClock().now.advanced(by: .seconds(240))
        var late = 0
        repeat {
            let process = try await WatchedProcess.run(
                host.command.product, host.command.arguments + [scenario])
            try #require(process.end == .exited(0), "\(process)")
            #expect(process.errors == "")
            let stall = try #require(process.output.split(separator: " ").last.flatMap { Int($0.dropLast()) })
            guard stall < 40 else { continue }
            let run = Run(process.output)
            if try isPrompt(run) { return run }
            late += 1
            try #require(late < 8, "The indicator changes late: \(run)")
        } while SuspendingClock().now < end
        print("SKIPPED: \(scenario) with \(host), because this machine is too busy")
        return nil
    }

    @Test(arguments: Host.allCases)
    func operation(host: Host) async throws {
        _ = try await run(host, "operation") { run in
            try #require(run.indicator == ["on", "off"])
            let began = try #require(run.times["began"])
            let ended = try #require(run.times["ended"])
            let on = try #require(run.times["on"])
            let off = try #require(run.times["off"])
            // The indicator must not go on before the show delay, or off before the hide delay. Times are whole
            // milliseconds.
            #expect(on - began >= 100)
            #expect(off - ended >= 299)
            // A prompt run shows it soon after the delay, and hides it within the hide delay and 1.1 check intervals.
            return on - began <= 180 && off - ended <= 1430
        }
    }

    @Test(arguments: ["longTasksShortPauses", "shortTasksShortPauses"])
    func tasksWithShortPausesShowOnce(scenario: String) async throws {
        let run = try await run(.runLoop, scenario)
        if let run { #expect(run.indicator == ["on", "off"]) }
    }

    @Test(arguments: ["rareTasks", "droppedEarly"], [Host.runLoop, .dispatchMain])
    func littleUseDoesNotShow(scenario: String, host: Host) async throws {
        let run = try await run(host, scenario)
        if let run { #expect(run.indicator == []) }
    }
}
