#if canImport(Glibc)
import Foundation
import Glibc
import TestSupport
import Testing

@testable import NetworkIndicatorTerminal

@Suite(.serialized, .timeLimit(.minutes(10)))
struct JobControlTests {
    @Test func stoppedAndContinuedInTheForeground() async throws {
        let terminal = try await PseudoTerminal.spinning()
        for _ in 0..<2 {
            let stopped = try await terminal.stop()
            #expect(stopped.shows("Fetching") && stopped.screen.wraps)
            terminal.write("\r\n[1]+  Stopped\r\n")
            terminal.tellShell("pause")
            try await terminal.until("the shell's prompt") { $0.events.last == "paused" }
            terminal.tellShell("pause")
            terminal.tellShell("fg")
            try await terminal.until("a spinner again") { $0.shows("Fetching") && $0.events.last == "continued" }
        }
        try await terminal.tell("hide")
        let state = try await terminal.drained()
        #expect(state.screen.rows.map { $0.suffix(9) } == [" Fetching", "  Stopped", " Fetching", "  Stopped"])
        #expect(state.screen.progress == ["3;0", "0;0"] && !state.text.contains("\u{1B}[?25"))
        #expect(state.screen.unknown.allSatisfy { $0 == TerminalState.marker })
    }

    @Test(arguments: [[], ["tostop"]] as [Set<String>])
    func continuedInTheBackground(options: Set<String>) async throws {
        let terminal = try await PseudoTerminal.spinning(options)
        let stopped = try await terminal.stop()
        terminal.tellShell("bg")
        try await terminal.until("the job goes on") { $0.events.last == "continued" }
        try await terminal.tell("settle")
        let background = try await terminal.drained()
        // If the job stops between its foreground check and its write, it writes one frame after SIGCONT.
        let added = background.text.dropFirst(stopped.text.count)
        #expect(background.text.hasPrefix(stopped.text) && added.count { "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".contains($0) } <= 1)
        #expect(background.events.last == "settle done")
        terminal.tellShell("fg")
        try await terminal.until("a spinner again") { $0.shows("Fetching") }
    }

    @Test func aTerminalOfAnotherSession() async throws {
        let terminal = try await PseudoTerminal.spinning(["otherSession"])
        try await terminal.tell("hide")
        #expect(try await terminal.drained().screen.rows == [])
    }

    @Test(arguments: ["print a line", "printOnDispatch a line", "suspendOnDispatch a line"])
    func outputFromTheBackgroundStopsTheJob(command: String) async throws {
        let terminal = try PseudoTerminal(["background", "tostop"])
        terminal.order(command)
        let stopped = try await terminal.until("the job stops") { $0.events.contains("stopped \(SIGTTOU)") }
        #expect(stopped.text == "")
        terminal.tellShell("fg")
        try await terminal.until("the line") { $0.screen.rows == ["a line"] }
    }

    // MARK: A blocked terminal

    @Test(arguments: [("ping", []), ("printBeside a line", ["a line"])])
    func aStoppedTerminalDoesNotBlockTheMainThread(before: String, rows: [String]) async throws {
        let terminal = try await PseudoTerminal.spinning()
        terminal.type("\u{13}")
        try await terminal.tell("settle")
        try await terminal.tell(before)
        try await terminal.tell("settle")
        try await terminal.tell("hide")
        terminal.type("\u{11}")
        try await terminal.until("the text alone") { $0.screen.rows == rows && $0.screen.progress.last == "0;0" }
    }

    @Test(arguments: ["ping", "printBeside a line"])
    func plainLinesOnAStoppedTerminalDoNotBlockTheMainThread(before: String) async throws {
        let terminal = try PseudoTerminal(["plain"])
        terminal.type("\u{13}")
        try await terminal.tell(before)
        try await terminal.tell("settle")
        try await terminal.tell("show")
        try await terminal.tell("hide")
        try await terminal.tell("printBeside the last line")
        terminal.type("\u{11}")
        let state = try await terminal.until("all lines") { $0.screen.rows.last == "the last line" }
        #expect(state.screen.rows.suffix(2) == ["Fetching ...", "the last line"])
    }

    @Test func plainLinesThatASlowTerminalTakesAfterExitAreWritten() async throws {
        let terminal = try PseudoTerminal(["plain"])
        terminal.tellShell("stopOutput")
        try await terminal.until("no output") { $0.events.contains("outputStopped") }
        try await terminal.tell("show")
        try await terminal.tell("hide")
        terminal.order("exit 3")
        terminal.tellShell("startOutputLater")
        let state = try await terminal.end()
        #expect(state.events.last == "exited 3")
        #expect(state.screen.rows == ["Fetching ..."])
    }
}
#endif
