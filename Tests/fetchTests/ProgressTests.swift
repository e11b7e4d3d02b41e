import Foundation
import LoopbackServer
import TestSupport
import Testing

/// The progress of downloads on a terminal.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: TerminalRun.isPossible))
struct ProgressTests {
    /// Returns an answer that takes a second and a half.
    private func dripping(_ size: Int, seed: UInt64 = 1) -> Answer {
        .generated(size: size, seed: seed).dripping(size / 15, every: .milliseconds(100))
    }

    private func expectMonotonic(_ percentages: [Int]) {
        #expect(percentages == percentages.sorted(), "\(percentages)")
    }

    @Test(arguments: [24, 40, 60, 80, 200]) func theRowFillsUp(columns: Int) async throws {
        let command = try FetchCommand()
        command.server.on("/a", dripping(3_000_000))
        command.server.on("/b", dripping(600_000))
        let run = try await TerminalRun(command, ["/a", "/b"].map(command.url), columns: columns)
        #expect(run.end == .exited(0))
        expectMonotonic(run.percentages)
        #expect(run.percentages.last == 100 && run.percentages.contains { (1..<100).contains($0) })
        #expect(run.frames.allSatisfy { $0.count < columns }, "\(run.frames)")
        let full = try #require(run.frames.last { $0.contains("100 %") })
        #expect(full.contains(" 2 files "))
        #expect(full.contains("━━━━━━━━━━ 100 %") == (columns >= 80), "\(full)")
        #expect(full.contains("3.6 of 3.6 MB") == (columns >= 40), "\(full)")
        #expect(run.frames.contains { $0.contains(#/ [0-9.]+ [kM]B\/s/#) } == (columns >= 60), "\(run.frames)")
        // With 40 columns, the time is shown if the other numbers are short.
        if columns != 40 {
            #expect(run.frames.contains { $0.contains(#/ \d s left/#) } == (columns >= 60), "\(run.frames)")
        }
    }

    @Test func withoutALengthThereAreBytesAndTime() async throws {
        let command = try FetchCommand()
        command.server.on("/a", dripping(3_000_000).chunked())
        command.server.on("/b", dripping(600_000).untilClose())
        let run = try await TerminalRun(command, ["/a", "/b"].map(command.url))
        #expect(run.end == .exited(0))
        #expect(run.percentages.isEmpty)
        #expect(run.frames.contains { $0.contains(#/ 2 files  \d\.\d MB  [0-9.]+ [kM]B\/s  \d+ s$/#) }, "\(run.frames)")
    }

    @Test func aCompressedBodyHasNoTotal() async throws {
        let command = try FetchCommand()
        let bytes = try await FetchCommand.compressedZeros(10_000_000)
        let answer = Answer(status: 200, headers: ["Content-Encoding": "gzip"], body: .bytes(bytes))
        command.server.on("/a", answer.dripping(bytes.count / 10, every: .milliseconds(100)))
        let run = try await TerminalRun(command, [command.url("/a")])
        #expect(run.end == .exited(0))
        #expect(run.percentages.isEmpty)
        #expect(run.frames.contains { $0.contains(#/ 1 file  \d\.\d MB /#) }, "\(run.frames)")
        #expect(run.screen.contains { $0.contains("10.0 MB") && $0.hasSuffix("  a") })
    }

    /// After the first part, the row shows 50 %, and the second part begins there.
    @Test func aContinuedDownloadDoesNotJump() async throws {
        let command = try FetchCommand()
        let answer = dripping(3_000_000).ranged(entityTag: "\"1\"")
        command.server.on("/a", answer.cut(.close, after: 1_500_000), answer)
        let run = try await TerminalRun(command, [command.url("/a")])
        #expect(run.end == .exited(0))
        expectMonotonic(run.percentages)
        #expect(run.percentages.contains { (1...50).contains($0) } && run.percentages.last == 100)
        #expect(command.server.requests("/a").map { $0.headers["Range"] } == [nil, "bytes=1500000-"])
        #expect(command.holds("a", size: 3_000_000))
    }

    @Test func theTerminalsProgressBarRisesAndIsCleared() async throws {
        let command = try FetchCommand()
        command.server.on("/a", dripping(3_000_000))
        command.server.on("/b", dripping(600_000))
        let run = try await TerminalRun(
            command, ["/a", "/b"].map(command.url), environment: ["WT_SESSION": UUID().uuidString])
        let percent = run.progress.filter { $0.hasPrefix("1;") }.compactMap { Int($0.dropFirst(2)) }
        expectMonotonic(percent)
        #expect(percent.count > 5 && percent.last == 100, "\(run.progress)")
        #expect(run.progress.count { $0 == "0;0" } == 1 && run.progress.last == "0;0")
    }

    @Test func theTerminalsProgressBarShowsAFailure() async throws {
        let command = try FetchCommand()
        command.server.on("/a", dripping(3_000_000))
        command.server.on("/b", .status(404).delayed(by: .milliseconds(300)))
        let run = try await TerminalRun(command, ["/a", "/b"].map(command.url), environment: ["WT_SESSION": "1"])
        #expect(run.end == .exited(1))
        #expect(run.progress.contains { $0.hasPrefix("2;") } && run.progress.last == "0;0", "\(run.progress)")
        #expect(run.progress.count { $0 == "0;0" } == 1)
    }

    /// The indicator is off, and only the seconds of the row change.
    @Test func aRowCountsDownWhileAllTransfersWait() async throws {
        let command = try FetchCommand()
        for path in ["/a", "/b"] {
            command.server.on(path, .unavailable(retryAfter: "3").delayed(by: .milliseconds(200)), .text("x"))
        }
        let run = try await TerminalRun(command, ["/a", "/b"].map(command.url))
        #expect(run.end == .exited(0))
        let waits = run.frames.filter { $0.hasPrefix("⏸") }
        let seconds = waits.compactMap { $0.wholeMatch(of: /⏸ 2 waiting, next in ([0-3]) s/).flatMap { Int($0.1) } }
        #expect(seconds == seconds.sorted(by: >) && Set(seconds).count > 1, "\(waits)")
        #expect(waits.count < 15)
        #expect(run.screen.last?.hasPrefix("2 files, 2 B, ") == true && run.screen.count == 5, "\(run.screen)")
    }

    @Test func theSlowestTransfersHaveRows() async throws {
        let command = try FetchCommand()
        command.server.on("/slow", dripping(3_000_000))
        command.server.on("/slower", dripping(3_000_000).dripping(100_000, every: .milliseconds(100)))
        command.server.on("/quick", .text("x").delayed(by: .milliseconds(200)))
        let paths = ["/slow", "/quick", "/slower"]
        let run = try await TerminalRun(command, ["--progress-rows=2"] + paths.map(command.url), columns: 80)
        #expect(run.end == .exited(0))
        #expect(run.output.contains(#/ \d+ % +[0-9.]+ of 3\.0 MB +[0-9.]+ [kM]B\/s +\d s left slower/#))
        #expect(run.screen.count == 4, "\(run.screen)")
        // In a window that is too small, there is only the main row.
        let narrow = try await TerminalRun(command, ["--progress-rows=2"] + paths.map(command.url), columns: 30)
        #expect(!narrow.output.contains("?2026"))
    }
}
