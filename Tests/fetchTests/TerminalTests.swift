import Foundation
import LoopbackServer
import TestSupport
import Testing

/// The program in a terminal.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: TerminalRun.isPossible))
struct TerminalTests {
    @Test func theIndicatorGoesOnAndOff() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a"))
        command.server.on("/b", .generated(size: 50_000).dripping(5_000, every: .milliseconds(200)))
        command.server.on("/c", .status(404).delayed(by: .milliseconds(300)))
        let run = try await TerminalRun(command, ["/a", "/b", "/c"].map(command.url))
        #expect(run.end == .exited(1))
        #expect(run.frames.contains { $0.contains("/3 files") })
        // The order of the lines can differ, but not their contents.
        let screen = run.screen
        try #require(screen.count == 4, "\(screen)")
        let lines = screen.dropLast()
        #expect(lines.count { $0.contains(#/^✓ 200       1 B +\d+\.\d\d s +[0-9.]+ k?B\/s  a$/#) } == 1, "\(screen)")
        #expect(lines.count { $0.contains(#/^✓ 200   50\.0 kB +\d+\.\d\d s +[0-9.]+ k?B\/s  b$/#) } == 1, "\(screen)")
        #expect(lines.contains { $0.lowercased() == "✗ \(command.url("/c")): 404 not found" })
        #expect(screen[3].contains(#/^2 files, 50\.0 kB, \d+\.\d\d s, [0-9.]+ k?B\/s, 1 failed$/#))
        #expect(run.output.hasSuffix("\r\n") || run.output.hasSuffix("h"))
    }

    @Test(arguments: [["--indicator=never"], []]) func aDisabledIndicatorIsOff(options: [String])
        async throws
    {
        let command = try FetchCommand()
        command.server.on("/b", .generated(size: 50_000).dripping(5_000, every: .milliseconds(40)))
        let environment = options.isEmpty ? ["CI": "1", "NO_COLOR": "1"] : ["NO_COLOR": "1"]
        let run = try await TerminalRun(command, options + [command.url("/b")], environment: environment)
        #expect(run.end == .exited(0))
        #expect(!run.output.contains("\u{1B}") && run.frames.isEmpty)
        #expect(run.screen.count == 1 && run.screen[0].hasPrefix("200   50.0 kB "))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func aSignalLeavesACleanLine(signal: Int32) async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a").delayed(by: .seconds(1)))
        command.server.on("/b", .generated(size: 100_000).cut(.stall, after: 50_000))
        let run = try await TerminalRun(command, ["/a", "/b"].map(command.url)) { pid in
            // The indicator has been on for a while when `a` is complete.
            if WatchedProcess.wait(until: { command.files.contains("a") }) { kill(pid, signal) }
        }
        #expect(run.end == .exited(128 + signal))
        #expect(!run.frames.isEmpty)
        try #require(run.screen.count == 3, "\(run.screen)")
        #expect(run.screen[0].hasSuffix("  a") && run.screen[1] == "fetch: kept nothing of b")
        #expect(run.screen[2].hasSuffix(", 1 interrupted"))
        #expect(command.files == ["a"])
    }

    /// When all files are complete, the full bar stays for a moment. If a busy machine delays the signal until the program
    /// has ended, the run is repeated.
    @Test func aSignalAfterTheLastFileLeavesACleanLine() async throws {
        for _ in 1...10 {
            let command = try FetchCommand()
            let directory = command.directory
            let response = Response.generated(size: 100_000).dripping(1_000, every: .milliseconds(200)) {
                !TerminalRun(runningIn: directory).frames.isEmpty
            }
            for path in ["/a", "/b"] { command.server.on(path, response) }
            let run = try await TerminalRun(
                command, ["/a", "/b"].map(command.url), environment: ["WT_SESSION": UUID().uuidString]
            ) { pid in
                let isTime = WatchedProcess.wait {
                    TerminalRun(runningIn: directory).frames.last?.contains(#/2\/2 files .*100 %/#) ?? false
                }
                if isTime { kill(pid, SIGINT) }
            }
            try #require(run.screen.count == 3, "\(run.screen)")
            #expect(run.screen[2].hasPrefix("2 files, 200.0 kB, "), "\(run.screen)")
            #expect(run.progress.last == "0;0")
            if run.end == .exited(128 + SIGINT) { return }
        }
        Issue.record("no signal arrived in time")
    }

    @Test func aClosedOutputLeavesACleanLine() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a").delayed(by: .seconds(1)))
        command.server.on("/b", .generated(size: 100_000).cut(.stall, after: 50_000))
        let run = try await TerminalRun(command, ["/a", "/b"].map(command.url), shell: "\"$@\" | true")
        #expect(!run.frames.isEmpty)
        #expect(run.screen == ["fetch: kept nothing of b"])
        #expect(command.files == ["a"])
    }

    /// `tee` writes to the terminal a little later than the program writes to the pipe. If a busy machine delays `tee` by
    /// more than 50 ms, a frame comes first. The run is then repeated.
    @Test func noSpinnerIsLeftBehindLinesThatComeThroughAPipe() async throws {
        var screens: [[String]] = []
        repeat {
            let command = try FetchCommand()
            let paths = (1...6).map { "/file-\($0)" }
            for (index, path) in paths.enumerated() {
                command.server.on(path, .text("x").delayed(by: .milliseconds(300 + index * 150)))
            }
            let run = try await TerminalRun(command, paths.map(command.url), shell: "\"$@\" | tee log", columns: 100)
            #expect(!run.frames.isEmpty)
            let log = String(decoding: command.content("log") ?? Data(), as: UTF8.self)
            #expect(!log.contains("\u{1B}"))
            let lines = log.split(separator: "\n").map(String.init)
            #expect(lines.count == 7)
            if run.screen == lines { return }
            screens.append(run.screen)
        } while screens.count < 5
        Issue.record("\(screens)")
    }

    /// The file goes to the terminal, so nothing else is drawn there.
    @Test func standardOutputIsAboveTheResult() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("the text\n").delayed(by: .milliseconds(400)))
        let run = try await TerminalRun(command, ["-o-", command.url("/a")])
        #expect(run.end == .exited(0) && run.frames.isEmpty)
        try #require(run.screen.count == 2, "\(run.screen)")
        #expect(run.screen[0] == "the text" && run.screen[1].hasSuffix("  -"))
    }
}
