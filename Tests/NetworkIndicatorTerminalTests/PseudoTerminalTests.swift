#if canImport(Glibc)
import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct PseudoTerminalTests {
    // MARK: Files

    @Test func onlyTextsAreWrittenToAFileThatReplacesTheTerminal() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let terminal = try await PseudoTerminal.spinning()
        try await terminal.tell("redirect \(file.path)")
        try await terminal.tell("settle")
        try await terminal.tell("hide")
        try await terminal.tell("print a line")
        terminal.order("exit 0")
        #expect(try await terminal.end().events.last == "exited 0")
        #expect(try String(contentsOf: file, encoding: .utf8) == "a line\n")
    }

    @Test func aLogWithoutAReader() async throws {
        let terminal = try PseudoTerminal(["plain", "brokenPipe"])
        try await terminal.tell("show")
        try await terminal.tell("print a line")
        try await terminal.tell("hide")
        terminal.order("exit 0")
        #expect(try await terminal.end().events.last == "exited 0")
    }

    // MARK: Other output

    @Test func enterLeavesNothingBehind() async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["print a line"], ["echo"])
        for text in ["\r", "\r", "ls\r"] {
            terminal.type(text)
            try await terminal.tell("settle")
            try await terminal.until("one row") { $0.screen.rows.count == 2 && $0.screen.rows.first == "a line" }
        }
        try await terminal.tell("hide")
        #expect(try await terminal.drained().screen.rows == ["a line"])
    }

    @Test func eightThreadsPrint() async throws {
        let terminal = try await PseudoTerminal.spinning()
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
