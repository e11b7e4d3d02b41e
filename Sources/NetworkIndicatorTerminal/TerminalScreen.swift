import Foundation
import NetworkIndicator

/// Coordinates the row that indicators draw with all other output to the same terminal.
///
/// All indicators of a process share one screen. The indicator shown last draws. The screen is thread-safe.
///
/// A lock guards the state and the writing of frames. Each write sends only the bytes that the terminal accepts. A
/// stopped terminal may block the writing of text. The screen then waits without holding the lock, so drawing and
/// hiding continue.
package final class TerminalScreen: Sendable {
    package static let standardError: TerminalScreen = {
        atexit { TerminalScreen.standardError.end() }
        return TerminalScreen(device: StandardErrorDevice())
    }()

    private let device: any TerminalDevice
    /// The start of all times in the state.
    private let start = SuspendingClock().now
    private let state: Lock<TerminalScreenState>
    /// The queue that writes lines of text in the order of the calls.
    private let texts = DispatchQueue(label: "NetworkIndicatorTerminal.texts")
    /// The lines of text that are not written yet.
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
    /// - Parameter isStill: Whether every other owner takes precedence over this one.
    package func show(_ owner: ObjectIdentifier, isStill: Bool = false) {
        state.withLock { $0.show(owner, isStill: isStill) }
    }

    /// Draws a line if `owner` is the indicator that draws. While the screen is suspended, it only stores the line.
    ///
    /// - Parameter pictures: The number of pictures that `advance(by:)` may draw before the line is out of date.
    /// - Returns: `false` if the terminal no longer exists. Drawing again is then pointless.
    package func draw(
        _ line: TerminalLine, by owner: ObjectIdentifier, at now: SuspendingClock.Instant, pictures: Int = 0
    ) -> Bool {
        state.withLock { $0.draw(line, by: owner, at: start.duration(to: now), pictures: pictures) }
    }

    /// Draws the spinner's next picture, if `owner` is the indicator that draws.
    ///
    /// - Returns: `false` if the owner must draw or hide the whole row.
    package func advance(by owner: ObjectIdentifier) -> Bool {
        state.withLock { $0.advance(by: owner) }
    }

    /// Erases the row of `owner`. Idempotent.
    ///
    /// - Returns: `false` if the terminal is blocked. The row is then still visible, and the caller must try again.
    package func hide(_ owner: ObjectIdentifier) -> Bool {
        state.withLock { $0.hide(owner) }
    }

    /// Writes a line of text above the indicator's row.
    package func print(_ text: String) {
        pending.enter()
        texts.sync { write(text) }
        pending.leave()
    }

    /// Writes a line of text for an indicator that doesn't draw. The line appears before any later text. In the
    /// background, this method writes nothing.
    ///
    /// If the terminal or the pipe is blocked, or another thread is writing, a background thread writes the line later.
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
        repeatWhileBlocked { $0.erase(until: start.duration(to: time)) }
    }

    /// Erases the row while `body` runs. The terminal's progress bar stays.
    ///
    /// - Parameter pauseEnd: A closure that returns the earliest time of the next frame after `body`, or `nil` to draw
    ///   the row at once. The screen calls this closure only if the output of `body` may reach the terminal later.
    package func suspend<R, E: Error>(
        until pauseEnd: () -> SuspendingClock.Instant? = { nil }, _ body: () throws(E) -> R
    ) throws(E) -> R {
        state.withLock { $0.suspensions += 1 }
        repeatWhileBlocked { $0.eraseRow() }
        defer {
            let end = device.isOutputDelayed ? pauseEnd().map { start.duration(to: $0) } : nil
            state.withLock { $0.resume(until: end) }
        }
        // Dispatch blocks SIGTTOU on its threads. While this signal is blocked, `stty tostop` has no effect.
        return try maskingSIGTTOU(SIG_UNBLOCK, body)
    }

    private func write(_ text: String) {
        var isBegun = false
        repeatWhileBlocked { $0.print(text, &isBegun) }
        if !isBegun { suspend { device.write(text + "\n") } }
    }

    /// Repeats an action while the terminal is blocked. Between attempts, it waits without holding the lock.
    private func repeatWhileBlocked(_ action: (inout TerminalScreenState) -> TerminalOutcome) {
        while state.withLock(action) == .busy { _ = device.wait(within: -1) }
    }

    /// Erases the row, writes pending lines, and prevents all later drawing. On a slow terminal, erasing and writing
    /// may each take up to a second.
    package func end() {
        // A signal handler of the program may call `exit` on the thread that holds the lock, so the wait for the lock
        // is limited.
        for _ in 0..<50 {
            if state.withLockIfAvailable({ $0.end() }) != nil { break }
            usleep(1000)
        }
        _ = pending.wait(timeout: .now() + .seconds(1))
    }
}
