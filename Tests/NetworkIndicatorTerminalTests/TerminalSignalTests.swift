#if canImport(Glibc)
import Glibc
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct TerminalSignalTests {
    @Test func nothingIsDrawnAfterTheExit() async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["endSlowly"])
        terminal.order("exitBesideTheMainThread 3")
        let state = try await terminal.end()
        state.expectUsable(end: "exited 3", row: false)
        #expect(state.screen.progress == ["3;0", "0;0"])
    }

    /// The exit waits for a second. Within this time, the shell starts the output again, because the process of the
    /// tests may be busy.
    @Test func aSlowTerminalIsCleanedUpAtTheExit() async throws {
        let terminal = try await PseudoTerminal.spinning()
        terminal.tellShell("stopOutput")
        try await terminal.until("no output") { $0.events.contains("outputStopped") }
        try await terminal.tell("settle")
        terminal.order("exit 3")
        terminal.tellShell("startOutputLater")
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

    // MARK: eraseOnInterruption()

    /// Ctrl-C makes the terminal discard the output that the test hasn't read yet, and thereby perhaps the erasure. The
    /// program erases the row 20 ms after the last signal. Under load, the terminal may process a Ctrl-C only
    /// afterwards, so the test expects a clean screen only if it knows that the terminal was faster.
    @Test(arguments: [[], [0], [2_000], [2_000, 0, 2_000]] as [[UInt32]])
    func ctrlCLeavesACleanScreen(pauses: [UInt32]) async throws {
        for _ in 1...20 {
            let terminal = try await PseudoTerminal.spinning(before: ["eraseOnInterruption"])
            let start = SuspendingClock.now
            terminal.type("\u{3}")
            for pause in pauses {
                usleep(pause)
                terminal.type("\u{3}")
            }
            await terminal.processInput()
            let isInTime = pauses.isEmpty || start.duration(to: .now) < .milliseconds(20)
            try await terminal.until("the end") { $0.isOver }
            let state = try await terminal.drained()
            state.expectUsable(end: "killed \(SIGINT)", row: !isInTime && !state.screen.rows.isEmpty)
            #expect(!isInTime || state.screen.progress.last == "0;0")
        }
    }

    @Test func aBlockedMainThreadDoesNotDelayAnInterruption() async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["eraseOnInterruption", "eraseOnInterruption"])
        terminal.order("block 60")
        terminal.type("\u{3}")
        let state = try await terminal.end()
        state.expectUsable(end: "killed \(SIGINT)", row: false)
    }

    @Test(arguments: [SIGTERM, SIGHUP]) func aStoppedTerminalDoesNotPreventAnInterruption(signal: Int32) async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["eraseOnInterruption"])
        terminal.type("\u{13}")
        try await terminal.tell("settle")
        try await terminal.signal(signal)
        #expect(try await terminal.until("the end") { $0.isOver }.events.last == "killed \(signal)")
    }

    /// The terminal's buffer holds about 20 kB, and at the end a part of a frame, during which wrapping is off.
    @Test(arguments: [SIGINT, SIGTERM], [true, false])
    func aSlowTerminalWrapsAfterAnInterruption(signal: Int32, reads: Bool) async throws {
        let terminal = try PseudoTerminal(reads ? ["table", "slow"] : ["table"])
        for command in ["eraseOnInterruption", "show"] { try await terminal.tell(command) }
        let resume = reads ? {} : terminal.stopReading()
        try await terminal.tell("redraw")
        if signal == SIGINT { terminal.type("\u{3}") } else { try await terminal.signal(signal) }
        let end = try await terminal.until("the end") { $0.isOver }.events.last
        resume()
        #expect(end == "killed \(signal)")
        let state = try await terminal.drained()
        #expect(state.screen.wraps && state.text.contains("file 20"))
    }

    @Test func signalsOfTheProgramAreLeftAlone() async throws {
        let commands = ["ignore \(SIGHUP)", "handle \(SIGTERM)", "eraseOnInterruption"]
        let terminal = try await PseudoTerminal.spinning(before: commands)
        try await terminal.signal(SIGHUP)
        try await terminal.tell("settle")
        try await terminal.signal(SIGTERM)
        #expect(try await terminal.until("the end") { $0.isOver }.events.last == "exited 7")
    }

    @Test func otherProcessesHaveTheDefaultActions() async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["eraseOnInterruption"])
        #expect(try await terminal.tell("child") == "killed \(SIGINT)")
        #expect(try await terminal.tell("fork") == "killed \(SIGTERM)")
        try await terminal.tell("settle")
        #expect(try await terminal.drained().shows("Fetching"))
    }
}
#endif
