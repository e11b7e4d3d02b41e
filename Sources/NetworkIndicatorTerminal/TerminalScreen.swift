import Foundation
import NetworkIndicator

/// The line of a terminal that indicators draw on, and everything else that writes there.
///
/// A terminal has one such line, so a process has one such object, however many indicators it has: the one shown last
/// draws. Any thread; everything is written under one lock, and nothing of a caller's runs under it.
///
/// A text is written however long a stopped terminal takes, with the lock held. Who draws, hides or logs, on the main
/// actor, must not wait for that: it leaves word of what it wants, and whoever has the lock sees to it on the way out.
package final class TerminalScreen: Sendable {
    package static let standardError = TerminalScreen(device: StandardErrorDevice())

    /// Erases the row and what it has wrapped to, and restores wrapping and the cursor.
    package static let erasure = "\r\u{1B}[J\u{1B}[?7h\u{1B}[?25h"

    package let device: any TerminalDevice
    private let state: Lock<TerminalScreenState>
    private let wanted = Lock(Wanted())
    private let logQueue = DispatchQueue(label: "NetworkIndicatorTerminal.log")

    package init(device: any TerminalDevice) {
        self.device = device
        state = Lock(TerminalScreenState(device: device))
    }

    /// Makes `owner` the one that draws; or, where it only has something still to show, the one that draws when no other
    /// does.
    package func show(_ owner: ObjectIdentifier, isStill: Bool = false) {
        wanted.withLock { wanted in
            wanted.owners.removeAll { $0 == owner }
            wanted.owners.insert(owner, at: isStill ? 0 : wanted.owners.count)
        }
    }

    /// Draws a line, provided that `owner` is the one that draws and nobody has suspended it.
    ///
    /// - Returns: Whether there is any point in drawing again: `false` when the terminal is gone.
    package func draw(_ line: TerminalLine, by owner: ObjectIdentifier, at now: SuspendingClock.Instant) -> Bool {
        wanted.withLock { wanted in
            if wanted.owners.last == owner { wanted.frame = (line, now) }
        }
        return catchUp() != .failed
    }

    /// Takes what `owner` drew off the screen. Idempotent.
    ///
    /// The caller may write there next, so this waits for a moment, the first time, where the terminal is not ready or a
    /// text is being written.
    ///
    /// - Returns: `false` if it is still there, so that this must be tried again.
    package func hide(_ owner: ObjectIdentifier) -> Bool {
        let isFirst = wanted.withLock { wanted in
            defer { wanted.owners.removeAll { $0 == owner } }
            return wanted.owners.contains(owner)
        }
        let end = SuspendingClock().now.advanced(by: .milliseconds(isFirst ? Terminal.briefTimeout : 0))
        while true {
            _ = catchUp()
            if wanted.withLock({ $0.shown != owner }) { return true }
            guard SuspendingClock().now < end else { return false }
            usleep(1000)
        }
    }

    /// Writes a line of text, above the indicator's.
    package func print(_ text: String) {
        write { $0.print(text) }
    }

    /// Writes a line of text for an indicator that does not draw: not from the background, and before any later text.
    ///
    /// On a thread of its own, for the terminal, or a pipe, may take it only much later.
    package func log(_ text: String) {
        wanted.withLock { $0.logs.append(text) }
        if !writesLogs(within: Terminal.briefTimeout) { _ = Self.atExit }
    }

    /// Takes the line off the screen until a frame that is drawn at `time` or later. The terminal's progress bar stays.
    package func erase(until time: SuspendingClock.Instant) {
        write { $0.erase(until: time) }
    }

    /// Takes the line off the screen while `body` runs. The terminal's progress bar stays.
    package func suspend<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        write { $0.suspend() }
        defer { write { $0.resume() } }
        return try Terminal.unblocking(SIGTTOU, body)
    }

    // MARK: Under the lock

    private func write(_ body: (inout TerminalScreenState) -> Void) {
        state.withLock { state in
            // First of all, so that a line which is to be erased is not drawn once more below a text.
            _ = catchUp(&state)
            for text in wanted.withLock({ $0.takeLogs() }) { state.print(text, fromBackground: false) }
            body(&state)
            _ = catchUp(&state)
        }
        _ = catchUp()
    }

    /// Does what is due, unless another thread has the lock. That one calls this when it has given it back, so that nothing
    /// is forgotten which was asked for just before.
    private func catchUp() -> TerminalOutcome {
        var outcome = TerminalOutcome.written
        while outcome != .busy, wanted.withLock({ $0.isDue }),
            let latest = state.withLockIfAvailable({ catchUp(&$0) })
        {
            outcome = latest
        }
        return outcome
    }

    private func catchUp(_ state: inout TerminalScreenState) -> TerminalOutcome {
        let (frame, isStale) = wanted.withLock { ($0.takeFrame(), $0.isStale) }
        if let frame {
            state.line = frame.line
            return state.draw(at: frame.time)
        }
        guard isStale else { return .written }
        state.line = nil
        let outcome = state.erase()
        if outcome != .busy { wanted.withLock { $0.shown = nil } }
        return outcome
    }

    private func writesLogs(within milliseconds: Int32) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        logQueue.async {
            self.write { _ in }
            isDone.signal()
        }
        return isDone.wait(timeout: .now() + .milliseconds(Int(milliseconds))) == .success
    }

    /// What could not be written yet has a last chance when the program exits: before the restorer lets nobody write any
    /// more, and what is registered last is called first.
    private static let atExit: Void = {
        TerminalRestorer.atExit
        _ = atexit { _ = TerminalScreen.standardError.writesLogs(within: Terminal.timeout) }
    }()
}

/// What is to be on the screen. Its lock is never held while anything is written.
private struct Wanted {
    /// The visible indicators; the last one draws.
    var owners: [ObjectIdentifier] = [] {
        didSet { frame = nil }
    }
    /// The next frame of the one that draws.
    var frame: (line: TerminalLine, time: SuspendingClock.Instant)?
    /// Whose line is on the screen, for all we know. Whoever has the screen's lock changes it.
    var shown: ObjectIdentifier?
    /// Lines of text that indicators which do not draw have not written yet.
    var logs: [String] = []

    /// Whether that line is to be erased.
    var isStale: Bool { shown != nil && shown != owners.last }
    var isDue: Bool { frame != nil || isStale }

    mutating func takeFrame() -> (line: TerminalLine, time: SuspendingClock.Instant)? {
        guard let frame else { return nil }
        self.frame = nil
        shown = owners.last
        return frame
    }

    mutating func takeLogs() -> [String] {
        defer { logs = [] }
        return logs
    }
}
