#if canImport(Glibc)
import Glibc
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct TerminalSignalTests {
    @Test(arguments: [("\u{3}", SIGINT), ("\u{1C}", SIGQUIT)])
    func aFatalKey(key: String, signal: Int32) async throws {
        let terminal = try await PseudoTerminal.spinning()
        terminal.type(key)
        let state = try await terminal.end()
        state.expectUsable(end: "killed \(signal)", row: true)
    }

    @Test func exitErasesTheRow() async throws {
        let terminal = try await PseudoTerminal.spinning()
        terminal.order("exit 3")
        let state = try await terminal.end()
        state.expectUsable(end: "exited 3", row: false)
        #expect(state.screen.progress == ["3;0", "0;0"])
    }

    /// Other threads keep running while `exit` calls its handlers.
    @Test func nothingIsDrawnAfterTheExit() async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["endSlowly"])
        terminal.order("exitBesideTheMainThread 3")
        let state = try await terminal.end()
        state.expectUsable(end: "exited 3", row: false)
        #expect(state.screen.progress == ["3;0", "0;0"])
    }

    @Test func aSlowTerminalIsCleanedUpAtTheExit() async throws {
        let terminal = try await PseudoTerminal.spinning()
        terminal.type("\u{13}")
        try await terminal.tell("settle")
        terminal.order("exit 3")
        terminal.tellShell("pause")
        try await terminal.until("a little later") { $0.events.last == "paused" }
        terminal.type("\u{11}")
        let state = try await terminal.end()
        state.expectUsable(end: "exited 3", row: false)
    }

    @Test func aStoppedTerminalDoesNotKeepAProgramAlive() async throws {
        let terminal = try await PseudoTerminal.spinning()
        terminal.type("\u{13}")
        try await terminal.tell("settle")
        terminal.order("exit 3")
        #expect(try await terminal.until("the end") { $0.isOver }.events.last == "exited 3")
    }

    @Test func aClosedWindowThatTheProgramSurvives() async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["ignore \(SIGHUP)"])
        terminal.hangUp()
        try await terminal.signal(SIGHUP)
        try await terminal.tell("settle")
        terminal.order("exit 3")
        #expect(try await terminal.until("the end") { $0.isOver }.events.last == "exited 3")
    }

    @Test func aProgramThatHandlesASignal() async throws {
        let terminal = try await PseudoTerminal.spinning()
        terminal.order("eraseAndRaise")
        let state = try await terminal.end()
        state.expectUsable(end: "killed \(SIGTERM)", row: false)
        #expect(state.screen.progress == ["3;0", "0;0"])
    }
}
#endif
