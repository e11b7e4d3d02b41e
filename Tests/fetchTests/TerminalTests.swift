import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "It needs Linux's program script."))
struct TerminalTests {
    private func run(_ command: FetchCommand, _ paths: [String], beside script: String = "") async throws -> (
        process: WatchedProcess, screen: [String]
    ) {
        let words = ([WatchedProcess.url(of: "fetch").path] + paths.map(command.url)).joined(separator: " ")
        let line = "unset CI TF_BUILD ACCESSIBLE NO_COLOR TMUX STY; stty cols 80 rows 24; \(script) exec \(words)"
        let process = try await WatchedProcess.run(
            "/usr/bin/script", ["-qefc", line, "transcript"],
            environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"], in: command.directory)
        var screen = TerminalEmulator(columns: 80)
        screen.feed(process.output)
        return (process, screen.rows)
    }

    @Test func theRowsAreErasedAtTheEnd() async throws {
        let command = try FetchCommand()
        command.respond(to: "/b", .generated(size: 50_000), when: "404", in: "transcript")
        command.respond(to: "/c", .status(404), when: "0/2 files", in: "transcript")
        let (process, screen) = try await run(command, ["/b", "/c"])
        #expect(process.end == .exited(1) && process.output.contains("0/2 files"))
        try #require(screen.count == 3, "\(screen)")
        let lines = [#/^✗ fetch: c: 404 Not Found$/#, #/^✓ +50 kB +\d[\d. m]* s  b$/#, #/^1 file, .*, 1 failed$/#]
        for (text, line) in zip(screen, lines) { #expect(text.contains(line), "\(screen)") }
    }

    @Test func aSignalLeavesACleanScreen() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a").delayed(by: .seconds(1)))
        for path in ["/b", "/c"] { command.server.on(path, .unavailable(retryAfter: "60")) }
        let isWaiting = "grep -qs '⏸ waiting, next attempt in [0-9]' transcript"
        let interruption = "(until ! kill -0 $$ || \(isWaiting); do sleep 0.1; done; kill -INT $$) &"
        let (process, rows) = try await run(command, ["/a", "/b", "/c"], beside: interruption)
        #expect(process.end == .exited(130))
        let screen = rows.filter { !$0.contains(": retrying in 1 m 0 s ") }
        try #require(screen.count == 2, "\(screen)")
        #expect(screen[0].hasSuffix("  a") && screen[1].hasSuffix(", 2 interrupted"), "\(screen)")
    }
}
