import Foundation
import NetworkIndicator

/// The row of a terminal that indicators draw on, and all other output to the same terminal.
///
/// All indicators of a process share one screen; the indicator shown last draws. Any thread may call it. One lock
/// guards all writes, and no caller's closure runs under it.
///
/// Writing a text may block on a stopped terminal, so drawing never waits for the lock, and hiding waits at most 50 ms.
/// They store their requests in `wanted`, and the thread that holds the lock performs them before it returns.
package final class TerminalScreen: Sendable {
    package static let standardError = TerminalScreen(device: StandardErrorDevice())

    /// Restores wrapping and the cursor.
    static let modes = "\u{1B}[?7h\u{1B}[?25h"

    package let device: any TerminalDevice
    private let state: Lock<TerminalScreenState>
    private let wanted = Lock(Wanted())
    private let logQueue = DispatchQueue(label: "NetworkIndicatorTerminal.log")

    package init(device: any TerminalDevice) {
        self.device = device
        state = Lock(TerminalScreenState(device: device))
    }

    /// Makes `owner` the indicator that draws.
    ///
    /// - Parameter isStill: Whether every other owner takes precedence.
    package func show(_ owner: ObjectIdentifier, isStill: Bool = false) {
        wanted.withLock { wanted in
            wanted.owners.removeAll { $0 == owner }
            wanted.owners.insert(owner, at: isStill ? 0 : wanted.owners.count)
        }
    }

    /// Draws a line, if `owner` is the indicator that draws. While the screen is suspended, it only stores the line.
    ///
    /// - Returns: `false` if the terminal no longer exists, so that drawing again has no effect.
    package func draw(_ line: TerminalLine, by owner: ObjectIdentifier, at now: SuspendingClock.Instant) -> Bool {
        wanted.withLock { wanted in
            if wanted.owners.last == owner { wanted.frame = (line, now) }
        }
        return catchUp() != .failed
    }

    /// Erases the row of `owner`. Idempotent.
    ///
    /// The caller may write to the terminal next. So the first call waits up to 50 ms if the terminal isn't ready, or
    /// if another thread writes a text.
    ///
    /// - Returns: `false` if the row is still visible, and the caller must try again.
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

    /// Writes a line of text above the indicator's row.
    package func print(_ text: String) {
        write { $0.print(text) }
    }

    /// Writes a line of text for an indicator that doesn't draw, before any later text. In the background it writes
    /// nothing.
    ///
    /// Another thread writes it, because a terminal or a pipe may block.
    package func log(_ text: String) {
        wanted.withLock { $0.logs.append(text) }
        if !writesLogs(within: Terminal.briefTimeout) { _ = Self.atExit }
    }

    /// Erases the row until a frame at `time` or later. The terminal's progress bar stays.
    package func erase(until time: SuspendingClock.Instant) {
        write { $0.erase(until: time) }
    }

    /// Erases the row while `body` runs. The terminal's progress bar stays.
    package func suspend<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        write { $0.suspend() }
        defer { write { $0.resume() } }
        return try Terminal.unblocking(SIGTTOU, body)
    }

    // MARK: Under the lock

    private func write(_ body: (inout TerminalScreenState) -> Void) {
        state.withLock { state in
            // Pending erasures come first. Otherwise, the text would draw the row again before it is
            // erased.
            _ = catchUp(&state)
            for text in wanted.withLock({ $0.takeLogs() }) { state.print(text, fromBackground: false) }
            body(&state)
            _ = catchUp(&state)
        }
        _ = catchUp()
    }

    /// Performs the requests, unless another thread holds the lock. That thread calls this again after it has released the
    /// lock, so that late requests are performed too.
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

    /// Writes pending lines when the program exits. Exit handlers run in reverse order, so the restorer's is registered
    /// first and runs last.
    private static let atExit: Void = {
        TerminalRestorer.atExit
        _ = atexit { _ = TerminalScreen.standardError.writesLogs(within: Terminal.timeout) }
    }()
}

/// The requests of the main actor. Their lock is never held during a write.
private struct Wanted {
    /// The visible indicators; the last one draws.
    var owners: [ObjectIdentifier] = [] {
        didSet { frame = nil }
    }
    /// The next frame of the indicator that draws.
    var frame: (line: TerminalLine, time: SuspendingClock.Instant)?
    /// The indicator whose row is on the screen. It changes only while the screen is locked.
    var shown: ObjectIdentifier?
    /// Pending lines of indicators that don't draw.
    var logs: [String] = []

    /// Whether the row on the screen must be erased.
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
