#if canImport(Glibc)
import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct PseudoTerminalTests {
    @Test func spinsAndStops() async throws {
        let terminal = try PseudoTerminal()
        try await terminal.tell("show")
        let first = try await terminal.until("a spinner") { $0.shows("Fetching") }
        #expect(first.screen.column == 0)
        #expect(first.screen.wraps)
        try await terminal.until("its next frame") { $0.shows("Fetching") && $0.screen.rows != first.screen.rows }
        try await terminal.tell("hide")
        try await terminal.tell("settle")
        let state = try await terminal.drained()
        #expect(state.screen.rows == [])
        #expect(state.screen.wraps && !state.text.contains("\u{1B}[?25"))
        #expect(state.screen.progress == [])
        #expect(state.screen.unknown.allSatisfy { $0 == TerminalState.marker })
        terminal.order("exit 0")
        #expect(try await terminal.end().events.last == "exited 0")
    }

    // MARK: Without drawing

    @Test(arguments: [
        ["TERM": "dumb"], ["TERM": ""], ["TERM": "unknown"], ["CI": "true"], ["TF_BUILD": "True"], ["ACCESSIBLE": "1"],
    ])
    func nothingIsWritten(environment: [String: String]) async throws {
        let terminal = try PseudoTerminal(environment: environment)
        try await terminal.tell("show")
        try await terminal.tell("settle")
        try await terminal.tell("suspend")
        try await terminal.tell("hide")
        #expect(try await terminal.drained().text == "\r\n")
    }

    @Test(arguments: ["auto", "always"])
    func nothingIsWrittenToAFile(animation: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let terminal = try PseudoTerminal(
            environment: ["HOST_ANIMATION": animation], options: ["stderr=\(file.path)"])
        try await terminal.tell("show")
        try await terminal.tell("settle")
        try await terminal.tell("hide")
        #expect(try Data(contentsOf: file).isEmpty)
        try await terminal.tell("print a line")
        #expect(try String(contentsOf: file, encoding: .utf8) == "a line\n")
        #expect(try await terminal.drained().text == "")
    }

    @Test func nothingIsWrittenToAFileThatReplacesTheTerminal() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let terminal = try PseudoTerminal(environment: ["WT_SESSION": "1"])
        try await terminal.tell("show")
        try await terminal.until("a spinner") { $0.shows("Fetching") }
        try await terminal.tell("redirect \(file.path)")
        try await terminal.tell("settle")
        try await terminal.tell("hide")
        terminal.order("exit 0")
        #expect(try await terminal.end().events.last == "exited 0")
        #expect(try String(contentsOf: file, encoding: .utf8) == "")
    }

    @Test func aLogWithoutAReader() async throws {
        let terminal = try PseudoTerminal(environment: ["HOST_PLAIN": "1"], options: ["brokenPipe"])
        try await terminal.tell("show")
        try await terminal.tell("print a line")
        try await terminal.tell("hide")
        terminal.order("exit 0")
        #expect(try await terminal.end().events.last == "exited 0")
    }

    // MARK: Other output

    @Test func enterLeavesNothingBehind() async throws {
        let terminal = try PseudoTerminal(echoes: true)
        try await terminal.tell("print a line")
        try await terminal.tell("show")
        try await terminal.until("a spinner") { $0.shows("Fetching") }
        for _ in 1...3 {
            terminal.type("\r")
            try await terminal.tell("settle")
            try await terminal.until("one row") { $0.screen.rows.count == 2 && $0.screen.rows.first == "a line" }
        }
        terminal.type("ls\r")
        try await terminal.tell("settle")
        try await terminal.until("one row") { $0.screen.rows.count == 2 && $0.screen.rows.first == "a line" }
        try await terminal.tell("hide")
        #expect(try await terminal.drained().screen.rows == ["a line"])
    }

    @Test func eightThreadsPrint() async throws {
        let terminal = try PseudoTerminal()
        try await terminal.tell("show")
        try await terminal.until("a spinner") { $0.shows("Fetching") }
        try await terminal.tell("threads")
        let state = try await terminal.until("a spinner below") { $0.shows("Fetching") && $0.screen.rows.count == 321 }
        let lines = state.screen.rows.dropLast()
        for thread in 0..<8 {
            let expected = (0..<40).map { "thread \(thread) line \($0)" }
            #expect(lines.filter { $0.hasPrefix("thread \(thread) ") } == expected)
        }
        try await terminal.tell("suspend to standard output")
        try await terminal.tell("hide")
        let rows = try await terminal.drained().screen.rows
        #expect(rows.count == 321)
        #expect(rows.last == "to standard output")
    }
}
#endif
