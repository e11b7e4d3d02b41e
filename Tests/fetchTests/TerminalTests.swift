import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "It needs Linux's program script."))
struct TerminalTests {
    private func run(
        _ command: FetchCommand, _ paths: [String], until isDone: @escaping @Sendable (String) -> Bool = { _ in false }
    ) async throws -> WatchedProcess {
        let words = ([WatchedProcess.url(of: "fetch").path] + paths.map(command.url)).joined(separator: " ")
        let line = "unset CI TF_BUILD ACCESSIBLE NO_COLOR TMUX STY; stty cols 80 rows 24; echo $$ >pid; exec \(words)"
        return try await WatchedProcess.run(
            "/usr/bin/script", ["-qefc", line, "transcript"],
            environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"], in: command.directory
        ) { _ in
            let isReady = WatchedProcess.wait {
                isDone(String(decoding: command.content("transcript") ?? Data(), as: UTF8.self))
            }
            let pid = command.content("pid").flatMap { Int32(String(decoding: $0, as: UTF8.self).dropLast()) }
            if isReady, let pid { kill(pid, SIGINT) }
        }
    }

    private func finalScreen(_ output: String) -> [String] {
        var screen = TerminalEmulator(columns: 80)
        screen.feed(output)
        return screen.rows
    }

    @Test func theRowsAreErasedAtTheEnd() async throws {
        let command = try FetchCommand()
        command.respond(to: "/b", .generated(size: 50_000), when: "404", in: "transcript")
        command.respond(to: "/c", .status(404), when: "0/2 files", in: "transcript")
        let run = try await run(command, ["/b", "/c"])
        #expect(run.end == .exited(1) && run.output.contains("0/2 files"))
        let screen = finalScreen(run.output)
        try #require(screen.count == 3, "\(screen)")
        let lines = [#/^✗ fetch: .* 404\.$/#, #/^✓ +50 kB +\d\.\d s  b$/#, #/^1 file, .*, 1 failed$/#]
        for (text, line) in zip(screen, lines) { #expect(text.contains(line), "\(screen)") }
    }

    @Test func aSignalLeavesACleanScreen() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a").delayed(by: .seconds(1)))
        for path in ["/b", "/c"] { command.server.on(path, .unavailable(retryAfter: "60")) }
        let run = try await run(command, ["/a", "/b", "/c"]) { $0.contains("⏸ waiting, next attempt in ") }
        #expect(run.end == .exited(130))
        let screen = finalScreen(run.output).filter { !$0.contains(": retrying in 1 m 0 s ") }
        try #require(screen.count == 2, "\(screen)")
        #expect(screen[0].hasSuffix("  a") && screen[1].hasSuffix(", 2 interrupted"), "\(screen)")
    }
}
