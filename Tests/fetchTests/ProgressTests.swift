import Foundation
import LoopbackServer
import TestSupport
import Testing

/// The progress of downloads on a terminal.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: TerminalRun.isPossible))
struct ProgressTests {
    /// Returns a response that arrives slowly until the terminal has shown something, and then quickly. So the test doesn't
    /// depend on how often a busy machine lets the program draw.
    private func slow(
        _ response: Response = .generated(size: 3_000_000), in command: FetchCommand,
        until isShown: @escaping @Sendable (TerminalRun) -> Bool
    ) -> Response {
        let directory = command.directory
        return response.dripping(response.body.count / 125, every: .milliseconds(200)) {
            isShown(TerminalRun(runningIn: directory))
        }
    }

    private func expectMonotonic(_ percentages: [Int]) {
        #expect(percentages == percentages.sorted(), "\(percentages)")
    }

    @Test(arguments: [24, 48, 68, 80, 200]) func theRowFillsUp(columns: Int) async throws {
        let isRate: @Sendable (String) -> Bool = { $0.contains(#/ [0-9.]+ [kM]B\/s/#) }
        let isTime: @Sendable (String) -> Bool = { $0.contains(#/ \d+ s left/#) }
        let isBetween: @Sendable (TerminalRun) -> Bool = { $0.percentages.contains { (1..<100).contains($0) } }
        let command = try FetchCommand()
        for (path, size) in [("/a", 3_000_000), ("/b", 600_000)] {
            command.server.on(
                path,
                slow(.generated(size: size), in: command) { run in
                    isBetween(run)
                        && (columns < 68 || run.frames.contains(where: isRate) && run.frames.contains(where: isTime))
                })
        }
        let run = try await TerminalRun(command, ["/a", "/b"].map(command.url), columns: columns)
        #expect(run.end == .exited(0))
        expectMonotonic(run.percentages)
        #expect(isBetween(run) && run.percentages.last == 100)
        #expect(run.frames.allSatisfy { $0.count < columns }, "\(run.frames)")
        let full = try #require(run.frames.last { $0.contains("100 %") })
        #expect(full.contains(" 2/2 files "))
        #expect(full.contains("━━━━━━━━━━ 100 %") == (columns >= 68), "\(full)")
        #expect(full.contains("3.6 of 3.6 MB") == (columns >= 48), "\(full)")
        #expect(run.frames.contains(where: isRate) == (columns >= 68), "\(run.frames)")
        // With 48 columns, the time is shown if the other numbers are short.
        if columns != 48 { #expect(run.frames.contains(where: isTime) == (columns >= 68), "\(run.frames)") }
    }

    @Test func withoutALengthThereAreBytesAndTime() async throws {
        let isShown: @Sendable (TerminalRun) -> Bool = {
            $0.frames.contains { $0.contains(#/ [012]\/2 files  [0-9.]+ [kM]B  [0-9.]+ [kM]B\/s  \d+ s elapsed$/#) }
        }
        let command = try FetchCommand()
        command.server.on("/a", slow(in: command, until: isShown).chunked())
        command.server.on("/b", slow(.generated(size: 600_000), in: command, until: isShown).untilClose())
        let run = try await TerminalRun(command, ["/a", "/b"].map(command.url))
        #expect(run.end == .exited(0))
        #expect(run.percentages.isEmpty)
        #expect(isShown(run), "\(run.frames)")
    }

    /// While half of the sizes are unknown, the row counts files.
    @Test func theEstimatedTotalOfTheDemonstrationIsUseful() async throws {
        let run = try await TerminalRun(try FetchCommand(), [])
        #expect(run.end == .exited(0))
        let last = try #require(run.screen.last?.firstMatch(of: #/^24 files, ([0-9.]+) MB, /#))
        let total = try #require(Double(last.1))
        let estimates = run.frames.map { $0.firstMatch(of: #/ of ~([0-9.]+) MB/#).flatMap { Double($0.1) } }
        #expect(estimates.contains { $0 != nil } && run.frames.contains { $0.contains("/24 files  ") })
        for estimate in estimates.compactMap(\.self) { #expect(abs(estimate / total - 1) < 0.2, "\(run.frames)") }
    }

    @Test func aCompressedBodyHasNoTotal() async throws {
        let bytes = try await FetchCommand.compressedZeros(10_000_000)
        let isShown: @Sendable (TerminalRun) -> Bool = { $0.frames.contains { $0.contains(#/ a  [0-9.]+ [kM]B /#) } }
        let command = try FetchCommand()
        let response = Response(status: 200, headers: ["Content-Encoding": "gzip"], body: .bytes(bytes))
        command.server.on("/a", slow(response, in: command, until: isShown))
        let run = try await TerminalRun(command, [command.url("/a")])
        #expect(run.end == .exited(0))
        #expect(run.percentages.isEmpty)
        #expect(isShown(run), "\(run.frames)")
        #expect(run.screen.contains { $0.contains("10.0 MB") && $0.hasSuffix("  a") })
    }

    /// After the first part, the row shows 50 %, and the second part begins there.
    @Test func aContinuedDownloadDoesNotJump() async throws {
        func isShown(_ part: ClosedRange<Int>) -> @Sendable (TerminalRun) -> Bool {
            { $0.percentages.contains { part.contains($0) } }
        }
        let command = try FetchCommand()
        let tag = "\"1\""
        command.server.on(
            "/a", slow(in: command, until: isShown(1...50)).ranged(entityTag: tag).cut(.close, after: 1_500_000),
            slow(in: command, until: isShown(51...99)).ranged(entityTag: tag))
        let run = try await TerminalRun(command, [command.url("/a")])
        #expect(command.server.requests("/a").map { $0.headers["Range"] } == [nil, "bytes=1500000-"])
        #expect(command.holds("a", size: 3_000_000))
        #expect(run.end == .exited(0))
        expectMonotonic(run.percentages)
        #expect(isShown(1...50)(run) && isShown(51...99)(run), "\(run.percentages)")
        #expect(run.percentages.last == 100, "\(run.percentages)")
    }

    @Test func theTerminalsProgressBarRisesAndIsCleared() async throws {
        let percentages: @Sendable (TerminalRun) -> [Int] = { run in
            run.progress.filter { $0.hasPrefix("1;") }.compactMap { Int($0.dropFirst(2)) }
        }
        let command = try FetchCommand()
        for path in ["/a", "/b"] { command.server.on(path, slow(in: command) { percentages($0).count > 5 }) }
        let run = try await TerminalRun(
            command, ["/a", "/b"].map(command.url), environment: ["WT_SESSION": UUID().uuidString])
        expectMonotonic(percentages(run))
        #expect(percentages(run).count > 5 && percentages(run).last == 100, "\(run.progress)")
        #expect(run.progress.count { $0 == "0;0" } == 1 && run.progress.last == "0;0")
    }

    /// The indicator is off, and only the seconds of the row change.
    @Test func aRowCountsDownWhileAllTransfersWait() async throws {
        let seconds: @Sendable (TerminalRun) -> [Int] = { run in
            run.frames.compactMap { $0.wholeMatch(of: /⏸ 2 waiting, next in (\d+) s/).flatMap { Int($0.1) } }
        }
        let command = try FetchCommand()
        let directory = command.directory
        for path in ["/a", "/b"] { command.server.on(path, .unavailable(retryAfter: "60")) }
        let run = try await TerminalRun(command, ["/a", "/b"].map(command.url)) { pid in
            let isShown = WatchedProcess.wait { Set(seconds(TerminalRun(runningIn: directory))).count > 2 }
            if isShown { kill(pid, SIGINT) }
        }
        #expect(run.end == .exited(128 + SIGINT))
        #expect(seconds(run) == seconds(run).sorted(by: >) && Set(seconds(run)).count > 2, "\(run.frames)")
        #expect(run.frames.count { $0.hasPrefix("⏸") } < 4 * (Set(seconds(run)).count + 1), "\(run.frames)")
    }

    @Test func nothingIsLeftOfTheCountdown() async throws {
        let command = try FetchCommand()
        for path in ["/a", "/b"] { command.server.on(path, .unavailable(retryAfter: "2"), .text("x")) }
        let run = try await TerminalRun(command, ["/a", "/b"].map(command.url))
        #expect(run.end == .exited(0))
        #expect(run.screen.last?.hasPrefix("2 files, 2 B, ") == true && run.screen.count == 5, "\(run.screen)")
    }

    @Test func theSlowestTransfersHaveRows() async throws {
        let isShown: @Sendable (TerminalRun) -> Bool = {
            $0.output.contains(#/ slower  [^\n]*? +\d+ % +[0-9.]+ [kM]?B? ?of 3\.0 MB +[0-9.]+ [kM]B\/s +\d+ s left/#)
        }
        func run(columns: Int, until isEnough: @escaping @Sendable (TerminalRun) -> Bool) async throws -> TerminalRun {
            let command = try FetchCommand()
            command.server.on("/slow", slow(in: command, until: isEnough))
            command.server.on(
                "/slower",
                slow(.generated(size: 3_000_000).delayed(by: .milliseconds(50)), in: command, until: isEnough))
            command.server.on("/quick", .text("x").delayed(by: .milliseconds(200)))
            let paths = ["/slow", "/quick", "/slower"]
            return try await TerminalRun(command, ["--progress-rows=2"] + paths.map(command.url), columns: columns)
        }
        let wide = try await run(columns: 80, until: isShown)
        #expect(wide.end == .exited(0))
        #expect(isShown(wide), "\(wide.output)")
        #expect(wide.screen.count == 4, "\(wide.screen)")
        // In a window that is too small, there is only the main row.
        let narrow = try await run(columns: 30) { $0.frames.count > 2 }
        #expect(!narrow.output.contains("?2026"))
    }
}
