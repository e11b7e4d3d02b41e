#if canImport(Glibc)
import Glibc
import Testing

/// Signals, and the end of the program, in a pseudo-terminal.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TerminalSignalTests {
    // MARK: The end

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func aFatalSignal(signal: Int32) async throws {
        let terminal = try await PseudoTerminal.spinning()
        try await terminal.signal(signal)
        let state = try await terminal.end()
        state.expectEnd(killedBy: signal)
    }

    @Test(arguments: [("\u{3}", SIGINT), ("\u{1C}", SIGQUIT)])
    func aFatalKey(key: String, signal: Int32) async throws {
        let terminal = try await PseudoTerminal.spinning()
        terminal.type(key)
        let state = try await terminal.end()
        state.expectEnd(killedBy: signal)
    }

    @Test func aFatalSignalDuringTheProgramsOwnLine() async throws {
        let terminal = try await PseudoTerminal.spinning()
        terminal.order("suspendAndRaise half a line")
        let state = try await terminal.end()
        state.expectEnd(killedBy: SIGTERM, leaving: ["half a line"])
    }

    @Test func aClosedWindow() async throws {
        let terminal = try await PseudoTerminal.spinning()
        terminal.hangUp()
        try await terminal.signal(SIGHUP)
        #expect(try await terminal.until("the end") { $0.isOver }.events.last == "killed \(SIGHUP)")
    }

    @Test func aClosedWindowThatTheProgramSurvives() async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["ignore \(SIGHUP)"])
        terminal.hangUp()
        try await terminal.signal(SIGHUP)
        try await terminal.tell("settle")
        #expect(try await terminal.tell("actions") == "00100")
        terminal.order("exit 3")
        #expect(try await terminal.until("the end") { $0.isOver }.events.last == "exited 3")
    }

    @Test func exitCleansUp() async throws {
        let terminal = try await PseudoTerminal.spinning()
        terminal.order("exit 3")
        let state = try await terminal.end()
        #expect(state.events.last == "exited 3")
        #expect(state.screen.rows == [])
        #expect(state.screen.isRestored)
        #expect(state.screen.progress == ["3;0", "0;0"])
    }

    /// Other threads continue while `exit` runs its handlers.
    @Test func nothingIsDrawnAfterExitHasCleanedUp() async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["endSlowly"])
        terminal.order("exitBesideTheMainThread 3")
        let state = try await terminal.end()
        #expect(state.events.last == "exited 3")
        #expect(state.screen.rows == [])
        #expect(state.screen.isRestored)
        #expect(state.screen.progress == ["3;0", "0;0"])
    }

    /// A frame after the handler's erasure would stay on the screen. Nine threads make such a race likely.
    @Test(arguments: [SIGINT, SIGTERM], 0..<10)
    func aFatalSignalAmongBusyThreads(signal: Int32, run: Int) async throws {
        let terminal = try await PseudoTerminal.spinning()
        terminal.order("flood")
        try await terminal.until("some output") { $0.byteCount > 5_000 * (run + 1) }
        try await terminal.signal(signal)
        let state = try await terminal.end()
        #expect(state.events.last == "killed \(signal)")
        let strange = state.screen.rows.filter { $0.wholeMatch(of: /thread \d line \d+/) == nil }
        #expect(strange == [])
        #expect(state.screen.progress == ["3;0", "0;0"])
    }

    // MARK: Handlers

    @Test func handlersAreInstalledOnlyWhileTheRowIsVisible() async throws {
        let terminal = try PseudoTerminal()
        #expect(try await terminal.tell("actions") == "00000")
        try await terminal.tell("show")
        #expect(try await terminal.tell("actions") == "BBBBB")
        try await terminal.tell("hide")
        #expect(try await terminal.tell("actions") == "00000")
    }

    @Test func anIgnoredSignalStaysIgnored() async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["ignore \(SIGINT)"])
        #expect(try await terminal.tell("actions") == "1BBBB")
        terminal.type("\u{3}")
        try await terminal.tell("settle")
        #expect(try await terminal.drained().shows("Fetching"))
        try await terminal.signal(SIGTERM)
        let state = try await terminal.end()
        #expect(state.events.last == "killed \(SIGTERM)")
        #expect(state.screen.rows == [])
    }

    @Test func anEarlierHandlerIsCalledAndTheSpinnerContinues() async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["handle"])
        for count in 1...2 {
            let length = try await terminal.drained().text.count
            terminal.type("\u{3}")
            try await terminal.until("the program's own handler") {
                $0.events.count { $0 == "handled completely" } == count && $0.screen.progress.count == 1 + 2 * count
                    && $0.text.count > length && $0.shows("Fetching")
            }
        }
        try await terminal.tell("hide")
        let state = try await terminal.drained()
        #expect(state.screen.rows == [])
        #expect(state.screen.progress == ["3;0", "0;0", "3;0", "0;0", "3;0", "0;0"])
        #expect(try await terminal.tell("actions") == "H0000")
    }

    /// A terminal accepts long texts in parts, and a handler may run in between.
    @Test(arguments: 1...3)
    func signalsInTheMiddleOfATextLeaveItWhole(run: Int) async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["handle"])
        try await terminal.tell("manyLinesUnderFire")
        try await terminal.until("a spinner below") { $0.shows("Fetching") }
        try await terminal.tell("hide")
        let state = try await terminal.drained()
        let wrong = zip(state.screen.rows, (1...20_000).map { "line \($0)" }).filter { $0 != $1 }.map(\.0)
        #expect(wrong == [])
        #expect(state.screen.rows.count == 20_000)
        #expect(state.events.contains("handled completely"))
    }

    /// A frame that is written just after a handler's erasure must be erased later.
    @Test func signalsBetweenOnAndOffLeaveNothingBehind() async throws {
        let terminal = try PseudoTerminal(environment: ["WT_SESSION": "1"])
        try await terminal.tell("handle")
        try await terminal.tell("onAndOffUnderFire")
        let state = try await terminal.drained()
        #expect(state.screen.rows.filter { $0 != "x" } == [])
        #expect(state.screen.rows.count == 2000)
        #expect(state.screen.progress.last == "0;0")
        #expect(state.events.contains("handled completely"))
        #expect(try await terminal.tell("actions") == "H0000")
    }

    @Test func anEarlierHandlerStillInterruptsSystemCalls() async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["handle"])
        #expect(try await terminal.tell("interruptedRead") == "-1")
    }

    @Test func anEarlierHandlerForOneSignalOnlyIsCalledOnce() async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["handle once"])
        terminal.type("\u{3}")
        try await terminal.until("the program's own handler") { $0.events.last == "handled completely" }
        try await terminal.until("a spinner again") { $0.shows("Fetching") && $0.screen.progress.last == "3;0" }
        terminal.type("\u{3}")
        let state = try await terminal.end()
        #expect(state.events.last == "killed \(SIGINT)")
        #expect(state.screen.rows == [])
    }

    @Test func aLaterHandlerThatCallsOursStays() async throws {
        let terminal = try await PseudoTerminal.spinning()
        try await terminal.tell("chain")
        try await terminal.tell("hide")
        #expect(try await terminal.tell("actions") == "H0000")
        try await terminal.tell("show")
        try await terminal.until("a spinner") { $0.shows("Fetching") }
        terminal.type("\u{3}")
        let state = try await terminal.end()
        #expect(state.events.filter { $0 == "chained" }.count == 1)
        #expect(state.events.contains("killed \(SIGINT)"))
        #expect(state.screen.rows == [])
    }

    @Test func aThousandSignalsAmongBusyThreads() async throws {
        let terminal = try await PseudoTerminal.spinning(before: ["handle"])
        #expect(try await terminal.tell("storm") == "1000")
        try await terminal.until("a spinner below all lines") {
            $0.shows("Fetching") && $0.screen.rows.count == 801
        }
        try await terminal.tell("hide")
        let rows = try await terminal.drained().screen.rows
        #expect(rows.filter { $0.wholeMatch(of: /thread \d line \d+/) == nil } == [])
    }
}
#endif
