import Foundation
import NetworkIndicator

/// The row of a terminal that indicators draw on, and all other output to the same terminal.
///
/// All indicators of a process share one screen; the indicator shown last draws. Any thread may call it.
///
/// A lock guards the state and the frames, which are written only as far as the terminal accepts them. Texts may block on
/// a stopped terminal, so they wait outside the lock, one after another. Neither drawing nor hiding waits for them.
package final class TerminalScreen: Sendable {
    package static let standardError: TerminalScreen = {
        atexit { TerminalScreen.standardError.end() }
        return TerminalScreen(device: StandardErrorDevice())
    }()

    private let device: any TerminalDevice
    private let state: Lock<TerminalScreenState>
    /// Writes the texts in the order of the calls.
    private let texts = DispatchQueue(label: "NetworkIndicatorTerminal.texts")
    /// The texts that are not written yet.
    private let pending = DispatchGroup()

    package init(device: any TerminalDevice) {
        self.device = device
        state = Lock(TerminalScreenState(device: device))
    }

    package var isTerminal: Bool { device.conditions != nil }

    /// Whether a row is on the screen.
    package var isDrawn: Bool { state.withLock { $0.isDrawn } }

    /// Makes `owner` the indicator that draws.
    ///
    /// - Parameter isStill: Whether every other owner takes precedence.
    package func show(_ owner: ObjectIdentifier, isStill: Bool = false) {
        state.withLock { $0.show(owner, isStill: isStill) }
    }

    /// Draws a line, if `owner` is the indicator that draws. While the screen is suspended, it only stores the line.
    ///
    /// - Returns: `false` if the terminal no longer exists, so that drawing again has no effect.
    package func draw(_ line: TerminalLine, by owner: ObjectIdentifier, at now: SuspendingClock.Instant) -> Bool {
        state.withLock { $0.draw(line, by: owner, at: now) }
    }

    /// Erases the row of `owner`. Idempotent.
    ///
    /// - Returns: `false` if the terminal is blocked, so that the row is still visible, and the caller must try again.
    package func hide(_ owner: ObjectIdentifier) -> Bool {
        state.withLock { $0.hide(owner) }
    }

    /// Writes a line of text above the indicator's row.
    package func print(_ text: String) {
        pending.enter()
        texts.sync { write(text) }
        pending.leave()
    }

    /// Writes a line of text for an indicator that doesn't draw, before any later text. In the background it writes
    /// nothing.
    ///
    /// If the terminal or the pipe is blocked, or another thread is writing, another thread writes the line.
    package func log(_ text: String) {
        let write: @Sendable () -> Void = {
            if self.device.conditions?.isForeground ?? true { self.write(text) }
        }
        if pending.wait(timeout: .now()) == .success, device.wait(within: 0) != .busy {
            texts.sync(execute: write)
        } else {
            texts.async(group: pending, execute: write)
        }
    }

    /// Erases the row and the terminal's progress bar. No frame is drawn before `time`.
    package func erase(until time: SuspendingClock.Instant) {
        repeatWhileBlocked { $0.erase(until: time) }
    }

    /// Erases the row while `body` runs. The terminal's progress bar stays.
    ///
    /// - Parameter pauseEnd: Returns the earliest time of the next frame, after `body`. `nil` draws the row at once. The
    ///   screen calls it only if the output of `body` may come later.
    package func suspend<R, E: Error>(
        until pauseEnd: () -> SuspendingClock.Instant? = { nil }, _ body: () throws(E) -> R
    ) throws(E) -> R {
        state.withLock { $0.suspensions += 1 }
        repeatWhileBlocked { $0.eraseRow() }
        defer {
            let end = device.isOutputDelayed ? pauseEnd() : nil
            state.withLock { $0.resume(until: end) }
        }
        // Dispatch blocks SIGTTOU on its threads. While it is blocked, `stty tostop` has no effect.
        return try maskingSIGTTOU(SIG_UNBLOCK, body)
    }

    private func write(_ text: String) {
        var isBegun = false
        repeatWhileBlocked { $0.print(text, &isBegun) }
        if !isBegun { suspend { device.write(text + "\n") } }
    }

    /// Repeats an action, and waits outside the lock while the terminal is blocked.
    private func repeatWhileBlocked(_ action: (inout TerminalScreenState) -> TerminalOutcome) {
        while state.withLock(action) == .busy { _ = device.wait(within: -1) }
    }

    /// Erases the row, writes pending lines, and draws nothing from now on. Erasing and writing may each take a second on
    /// a slow terminal.
    package func end() {
        // A signal handler of the program may call `exit` on the thread that holds the lock.
        for _ in 0..<50 {
            if state.withLockIfAvailable({ $0.end() }) != nil { break }
            usleep(1000)
        }
        _ = pending.wait(timeout: .now() + .seconds(1))
    }
}
