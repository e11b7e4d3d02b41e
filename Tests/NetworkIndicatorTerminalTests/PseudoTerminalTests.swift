#if canImport(Glibc)
import Foundation
import Testing

/// A shell and a job in a pseudo-terminal.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PseudoTerminalTests {
    private static let longLabel = "Fetching_a_great_many_files_of_all_sizes"

    @Test func spinsAndStops() async throws {
        let terminal = try PseudoTerminal()
        try await terminal.tell("show")
        let first = try await terminal.until("a spinner") { $0.shows("Fetching") }
        #expect(first.screen.column == 0)
        #expect(first.screen.isCursorVisible)
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

    @Test func waitsForTheShowDelay() async throws {
        let terminal = try PseudoTerminal()
        try await terminal.tell("attach")
        try await terminal.tell("begin")
        let state = try await terminal.until("a spinner") { $0.shows("Fetching") && $0.event("on") != nil }
        let delay = try #require(state.event("on").flatMap { Int($0) })
        #expect(delay >= 100)
        try await terminal.tell("end")
        try await terminal.until("a clean screen") { $0.event("off") != nil && $0.screen.rows == [] }
    }

    @Test func aQuickTaskDrawsNothing() async throws {
        let terminal = try PseudoTerminal()
        try await terminal.tell("attach")
        try await terminal.tell("quick")
        try await terminal.tell("settle")
        let state = try await terminal.drained()
        #expect(state.text == "")
        #expect(state.event("on") == nil)
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

    @Test func alwaysDrawsOnAnyTerminal() async throws {
        let terminal = try PseudoTerminal(environment: ["CI": "1", "TERM": "dumb", "HOST_ANIMATION": "always"])
        try await terminal.tell("show")
        try await terminal.until("a spinner") { $0.shows("Fetching") }
        #expect(try await !terminal.drained().text.contains("\u{1B}[3"))
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

    @Test(arguments: [false, true])
    func nothingIsWrittenToAFileThatReplacesTheTerminal(isKilled: Bool) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let terminal = try PseudoTerminal(environment: ["WT_SESSION": "1"])
        try await terminal.tell("show")
        try await terminal.until("a spinner") { $0.shows("Fetching") }
        try await terminal.tell("redirect \(file.path)")
        if isKilled {
            try await terminal.signal(SIGTERM)
        } else {
            try await terminal.tell("settle")
            try await terminal.tell("hide")
            terminal.order("exit 0")
        }
        #expect(try await terminal.end().events.last == (isKilled ? "killed \(SIGTERM)" : "exited 0"))
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

    @Test func noColor() async throws {
        let terminal = try PseudoTerminal(environment: ["NO_COLOR": "1"])
        try await terminal.tell("show")
        try await terminal.until("a spinner") { $0.shows("Fetching") }
        #expect(try await !terminal.drained().text.contains("m"))
        let colored = try PseudoTerminal()
        try await colored.tell("show")
        try await colored.until("a spinner") { $0.shows("Fetching") }
        #expect(try await colored.drained().text.contains("\u{1B}[35m⠋\u{1B}[39m"))
    }

    // MARK: The window

    @Test func inFiveColumnsThereIsOnlyTheGlyph() async throws {
        let terminal = try PseudoTerminal(columns: 5)
        try await terminal.tell("show")
        try await terminal.until("a glyph") { $0.screen.rows.map(\.count) == [2] }
        try await terminal.tell("settle")
        #expect(try await terminal.drained().screen.rows.map(\.count) == [2])
        try await terminal.tell("hide")
        #expect(try await terminal.drained().screen.rows == [])
    }

    @Test(arguments: [30, 20, 10, 5])
    func aWindowThatShrinks(columns: Int) async throws {
        let terminal = try PseudoTerminal(columns: 60)
        try await terminal.tell("label \(Self.longLabel)")
        try await terminal.tell("show")
        try await terminal.until("the whole label") { $0.shows(Self.longLabel) }
        try await terminal.resize(columns: columns)
        let shown = columns < 10 ? "" : " " + Self.longLabel.prefix(columns - 5 - min(8, columns / 5)) + "…"
        // The wrapped rest may stay below the row for a while, but not above it.
        try await terminal.until("a row with what fits") {
            $0.screen.rows.first.map { $0.dropFirst(2) == shown } ?? false
        }
        try await terminal.tell("hide")
        #expect(try await terminal.drained().screen.rows == [])
    }

    @Test func aWindowThatShrinksJustBeforeTheEnd() async throws {
        let terminal = try PseudoTerminal(columns: 60)
        try await terminal.tell("label \(Self.longLabel)")
        try await terminal.tell("show")
        try await terminal.until("the whole label") { $0.shows(Self.longLabel) }
        try await terminal.resize(columns: 20)
        try await terminal.tell("hide")
        #expect(try await terminal.drained().screen.rows == [])
    }

    @Test(arguments: [
        "日本語のラベルはとても長いです", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "e\u{301}\u{302}e\u{301}\u{302}e\u{301}\u{302}e\u{301}\u{302} accents upon accents",
    ])
    func wideLabelsNeverWrap(label: String) async throws {
        let terminal = try PseudoTerminal(columns: 21)
        try await terminal.tell("label \(label)")
        try await terminal.tell("show")
        let first = try await terminal.until("a spinner") { $0.screen.rows.count == 1 }
        try await terminal.until("its next frame") { $0.screen.rows.count == 1 && $0.screen.rows != first.screen.rows }
        try await terminal.tell("hide")
        #expect(try await terminal.drained().screen.rows == [])
    }

    /// On this screen, most characters of these labels take two cells. The indicator counts one.
    @Test(arguments: ["Загрузка файлов с сервера", "λήψη αρχείων από τον διακομιστή", "→→→→→→→→→→→→→→→→→→→→→→→→→→"])
    func ambiguousLabelsNeverWrap(label: String) async throws {
        let terminal = try PseudoTerminal(columns: 30, ambiguousIsWide: true)
        try await terminal.tell("label \(label)")
        try await terminal.tell("show")
        try await terminal.tell("settle")
        let state = try await terminal.drained()
        #expect(state.screen.rows.count == 1)
        try await terminal.tell("hide")
        #expect(try await terminal.drained().screen.rows == [])
    }

    // MARK: Other output

    /// Enter moves the cursor down. The row must not stay above it.
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

    @Test func aLongTextPassesThroughANonblockingDescriptor() async throws {
        let terminal = try PseudoTerminal()
        try await terminal.tell("nonblocking")
        try await terminal.tell("show")
        try await terminal.until("a spinner") { $0.shows("Fetching") }
        try await terminal.tell("manyLines")
        try await terminal.until("a spinner below") { $0.shows("Fetching") && $0.event("manyLines") != nil }
        try await terminal.tell("hide")
        #expect(try await terminal.drained().screen.rows == (1...20_000).map { "line \($0)" })
    }

    // MARK: The progress bar

    @Test func twentySecondsOfGhostty() async throws {
        let terminal = try PseudoTerminal(environment: ["TERM_PROGRAM": "ghostty", "TERM_PROGRAM_VERSION": "1.2.3"])
        try await terminal.tell("ghostty")
        let progress = try await terminal.drained().screen.progress
        #expect(progress == ["3;0", "3;0", "3;0", "0;0"])
    }

    @Test func twentySecondsElsewhere() async throws {
        let terminal = try PseudoTerminal(environment: ["WT_SESSION": "1"])
        try await terminal.tell("ghostty")
        let progress = try await terminal.drained().screen.progress
        #expect(progress == ["3;0", "0;0"])
    }

    @Test(arguments: [("", []), ("T3LrMSc7", []), ("T3PrLr", []), ("T3LrMSc7P", ["3;0", "0;0"])])
    func iTerm(features: String, progress: [String]) async throws {
        let terminal = try PseudoTerminal(environment: ["TERM_PROGRAM": "iTerm.app", "TERM_FEATURES": features])
        try await terminal.tell("show")
        try await terminal.until("a spinner") { $0.shows("Fetching") }
        try await terminal.tell("hide")
        #expect(try await terminal.drained().screen.progress == progress)
    }
}
#endif
