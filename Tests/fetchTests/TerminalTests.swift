import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "It needs Linux's program script."))
struct TerminalTests {
    private func run(
        _ command: FetchCommand, _ words: [String], beside script: String = "", _ environment: [String: String] = [:]
    ) async throws -> (process: WatchedProcess, screen: [String]) {
        let words = ([WatchedProcess.url(of: "fetch").path] + words).joined(separator: " ")
        let line = "unset CI TF_BUILD ACCESSIBLE TMUX STY; stty cols 80 rows 24; \(script) exec \(words)"
        let process = try await WatchedProcess.run(
            "/usr/bin/script", ["-qefc", line, "transcript"],
            environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "NO_COLOR": ""].merging(environment) { $1 },
            in: command.directory)
        var screen = TerminalEmulator(columns: 80)
        screen.feed(process.output)
        return (process, screen.rows)
    }

    @Test func theRowsAreErasedAtTheEnd() async throws {
        let command = try FetchCommand()
        command.respond(to: "/b", .generated(size: 50_000), when: "404 Not Found", in: "transcript")
        command.respond(to: "/c", .status(404), when: "0/2 files", in: "transcript")
        let (process, screen) = try await run(command, ["/b", "/c"].map(command.url))
        #expect(process.end == .exited(1) && process.output.contains("0/2 files"))
        try #require(screen.count == 3, "\(screen)")
        let lines = [#/^✗ c: 404 Not Found/#, #/^✓ +50 kB +in [\d.]+ s  b$/#, #/^1 file, .*, 1 failed$/#]
        for (text, line) in zip(screen, lines) { #expect(text.contains(line), "\(screen)") }
    }

    @Test func aSignalLeavesACleanScreen() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a").delayed(by: .seconds(1)))
        for path in ["/b", "/c"] { command.server.on(path, .unavailable(retryAfter: "60")) }
        let isWaiting = "grep -qs '⏸.*1/3 files.*waiting, [0-9]' transcript"
        let interruption = "(until ! kill -0 $$ || \(isWaiting); do sleep 0.1; done; kill -INT $$) &"
        let (process, rows) = try await run(command, ["/a", "/b", "/c"].map(command.url), beside: interruption)
        #expect(process.end == .exited(130))
        let screen = rows.filter { !$0.contains(": retrying in 6") && !$0.hasSuffix(": interrupted") }
        try #require(screen.count == 2, "\(screen)")
        #expect(screen[0].hasSuffix("  a") && screen[1].hasSuffix(", 2 interrupted"), "\(screen)")
        // On a slow terminal, drawing the rows again below each line would take seconds.
        let end = process.output.firstRange(of: ": interrupted").map { process.output[$0.upperBound...] } ?? "/3 files"
        #expect(!end.contains("/3 files"), "\(end.debugDescription)")
    }

    /// One judge decides for the rows and for the lines of results.
    @Test(arguments: [
        ([:], "\u{1B}[32m✓\u{1B}[39m ", "\u{1B}[31m✗\u{1B}[39m "), (["NO_COLOR": "1"], "✓ ", "✗ "),
        (["TERM": "dumb"], "ok ", "FAILED "), (["LC_ALL": "C"], "ok ", "FAILED "),
    ])
    func marks(environment: [String: String], success: String, failure: String) async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a").delayed(by: .seconds(1)))
        command.server.on("/b", .status(404))
        let text = try await run(command, ["/a", "/b"].map(command.url), beside: "", environment).process.output
        #expect(text.contains("\(success)      1 B") && text.contains("\(failure)b: "), "\(text)")
        #expect(
            text.contains("✓") == success.contains("✓") && (environment["TERM"] != "dumb" || !text.contains("\u{1B}")))
        let quiet = try await run(
            command, ["-q", "--force", command.url("/a"), command.url("/b")], beside: "", environment
        )
        .process
        #expect(quiet.output.hasPrefix("\(failure)b: ") && quiet.output.count { $0.isNewline } == 1, "\(quiet)")
    }
}
