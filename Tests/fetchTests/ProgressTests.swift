import Foundation
import LoopbackServer
import TestSupport
import Testing

/// The progress of downloads on a terminal.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: TerminalRun.isPossible))
struct ProgressTests {
    /// Returns an answer in 15 pieces.
    private func dripping(_ size: Int, every interval: Duration = .milliseconds(100)) -> Answer {
        .generated(size: size).dripping(size / 15, every: interval)
    }

    /// Repeats a run with a slower server until it has shown what the test looks for. A busy machine may not let the
    /// program draw in the middle of a transfer.
    ///
    /// - Parameter run: Runs the program. Its argument is the interval between the pieces of an answer.
    private func repeating(
        until isShown: (TerminalRun) -> Bool, run: (Duration) async throws -> TerminalRun
    ) async throws -> TerminalRun {
        for interval in [100, 400] {
            let result = try await run(.milliseconds(interval))
            if isShown(result) { return result }
        }
        return try await run(.milliseconds(1600))
    }

    private func expectMonotonic(_ percentages: [Int]) {
        #expect(percentages == percentages.sorted(), "\(percentages)")
    }

    @Test(arguments: [24, 48, 68, 80, 200]) func theRowFillsUp(columns: Int) async throws {
        let isRate: (String) -> Bool = { $0.contains(#/ [0-9.]+ [kM]B\/s/#) }
        let isTime: (String) -> Bool = { $0.contains(#/ \d s left/#) }
        let isBetween: (TerminalRun) -> Bool = { $0.percentages.contains { (1..<100).contains($0) } }
        let run = try await repeating {
            isBetween($0) && (columns < 68 || $0.frames.contains(where: isRate) && $0.frames.contains(where: isTime))
        } run: { interval in
            let command = try FetchCommand()
            command.server.on("/a", dripping(3_000_000, every: interval))
            command.server.on("/b", dripping(600_000, every: interval))
            return try await TerminalRun(command, ["/a", "/b"].map(command.url), columns: columns)
        }
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
        let isShown: (TerminalRun) -> Bool = {
            $0.frames.contains { $0.contains(#/ [012]\/2 files  \d\.\d MB  [0-9.]+ [kM]B\/s  \d+ s elapsed$/#) }
        }
        let run = try await repeating(until: isShown) { interval in
            let command = try FetchCommand()
            command.server.on("/a", dripping(3_000_000, every: interval).chunked())
            command.server.on("/b", dripping(600_000, every: interval).untilClose())
            return try await TerminalRun(command, ["/a", "/b"].map(command.url))
        }
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
        let isShown: (TerminalRun) -> Bool = { $0.frames.contains { $0.contains(#/ a  \d\.\d MB /#) } }
        let run = try await repeating(until: isShown) { interval in
            let command = try FetchCommand()
            let answer = Answer(status: 200, headers: ["Content-Encoding": "gzip"], body: .bytes(bytes))
            command.server.on("/a", answer.dripping(bytes.count / 10, every: interval))
            return try await TerminalRun(command, [command.url("/a")])
        }
        #expect(run.end == .exited(0))
        #expect(run.percentages.isEmpty)
        #expect(isShown(run), "\(run.frames)")
        #expect(run.screen.contains { $0.contains("10.0 MB") && $0.hasSuffix("  a") })
    }

    /// After the first part, the row shows 50 %, and the second part begins there.
    @Test func aContinuedDownloadDoesNotJump() async throws {
        let isShown: (TerminalRun) -> Bool = { $0.percentages.contains { (1...50).contains($0) } }
        let run = try await repeating(until: isShown) { interval in
            let command = try FetchCommand()
            let answer = dripping(3_000_000, every: interval).ranged(entityTag: "\"1\"")
            command.server.on("/a", answer.cut(.close, after: 1_500_000), answer)
            let run = try await TerminalRun(command, [command.url("/a")])
            #expect(command.server.requests("/a").map { $0.headers["Range"] } == [nil, "bytes=1500000-"])
            #expect(command.holds("a", size: 3_000_000))
            return run
        }
        #expect(run.end == .exited(0))
        expectMonotonic(run.percentages)
        #expect(isShown(run) && run.percentages.last == 100, "\(run.percentages)")
    }

    @Test func theTerminalsProgressBarRisesAndIsCleared() async throws {
        let percentages: (TerminalRun) -> [Int] = { run in
            run.progress.filter { $0.hasPrefix("1;") }.compactMap { Int($0.dropFirst(2)) }
        }
        let run = try await repeating(until: { percentages($0).count > 5 }) { interval in
            let command = try FetchCommand()
            command.server.on("/a", dripping(3_000_000, every: interval))
            command.server.on("/b", dripping(600_000, every: interval))
            return try await TerminalRun(
                command, ["/a", "/b"].map(command.url), environment: ["WT_SESSION": UUID().uuidString])
        }
        expectMonotonic(percentages(run))
        #expect(percentages(run).count > 5 && percentages(run).last == 100, "\(run.progress)")
        #expect(run.progress.count { $0 == "0;0" } == 1 && run.progress.last == "0;0")
    }

    /// The indicator is off, and only the seconds of the row change.
    @Test func aRowCountsDownWhileAllTransfersWait() async throws {
        let seconds: (TerminalRun) -> [Int] = { run in
            run.frames.compactMap { $0.wholeMatch(of: /⏸ 2 waiting, next in (\d+) s/).flatMap { Int($0.1) } }
        }
        let run = try await repeating(until: { Set(seconds($0)).count > 1 }) { interval in
            let command = try FetchCommand()
            let unavailable = Answer.unavailable(retryAfter: interval > .milliseconds(100) ? "20" : "3")
            for path in ["/a", "/b"] {
                command.server.on(path, unavailable.delayed(by: .milliseconds(200)), .text("x"))
            }
            return try await TerminalRun(command, ["/a", "/b"].map(command.url))
        }
        #expect(run.end == .exited(0))
        #expect(seconds(run) == seconds(run).sorted(by: >) && Set(seconds(run)).count > 1, "\(run.frames)")
        #expect(run.frames.count { $0.hasPrefix("⏸") } < 4 * (Set(seconds(run)).count + 1), "\(run.frames)")
        #expect(run.screen.last?.hasPrefix("2 files, 2 B, ") == true && run.screen.count == 5, "\(run.screen)")
    }

    @Test func theSlowestTransfersHaveRows() async throws {
        func run(columns: Int, _ interval: Duration) async throws -> TerminalRun {
            let command = try FetchCommand()
            command.server.on("/slow", dripping(3_000_000, every: interval))
            command.server.on("/slower", dripping(3_000_000).dripping(100_000, every: interval))
            command.server.on("/quick", .text("x").delayed(by: .milliseconds(200)))
            let paths = ["/slow", "/quick", "/slower"]
            return try await TerminalRun(command, ["--progress-rows=2"] + paths.map(command.url), columns: columns)
        }
        let isShown: (TerminalRun) -> Bool = {
            $0.output.contains(#/ slower  [^\n]*? +\d+ % +[0-9.]+ of 3\.0 MB +[0-9.]+ [kM]B\/s +\d+ s left/#)
        }
        let wide = try await repeating(until: isShown) { try await run(columns: 80, $0) }
        #expect(wide.end == .exited(0))
        #expect(isShown(wide), "\(wide.output)")
        #expect(wide.screen.count == 4, "\(wide.screen)")
        // In a window that is too small, there is only the main row.
        let narrow = try await run(columns: 30, .milliseconds(100))
        #expect(!narrow.output.contains("?2026"))
    }
}
