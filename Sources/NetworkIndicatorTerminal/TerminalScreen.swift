import Foundation
import NetworkIndicator

/// After Ctrl-S, a terminal accepts no output. A thread that waits to write text doesn't hold the lock, so that drawing
/// and hiding don't block.
package final class TerminalScreen: Sendable {
    package static let standardError: TerminalScreen = {
        atexit { TerminalScreen.standardError.exit() }
        return TerminalScreen(device: StandardErrorDevice())
    }()

    private let device: any TerminalDevice
    private let start = SuspendingClock().now
    private let state: Lock<TerminalScreenState>
    private let texts = DispatchQueue(label: "NetworkIndicatorTerminal.texts")
    private let pending = DispatchGroup()

    package init(device: any TerminalDevice) {
        self.device = device
        state = Lock(TerminalScreenState(device: device))
    }

    package var isTerminal: Bool { device.conditions != nil }

    package var isDrawn: Bool { state.withLock { $0.isDrawn } }

    /// Makes `owner` the indicator that draws, unless `isStill` is `true` and there are other owners.
    package func show(_ owner: ObjectIdentifier, isStill: Bool = false) {
        state.withLock { $0.show(owner, isStill: isStill) }
    }

    /// - Parameter pictures: The number of pictures that `advance(by:)` may draw before the whole row must be drawn.
    /// - Returns: `false` if the terminal no longer exists or the program is exiting.
    package func draw(
        _ block: TerminalBlock, by owner: ObjectIdentifier, at now: SuspendingClock.Instant, pictures: Int = 0
    ) -> Bool {
        state.withLock { $0.draw(block, by: owner, at: start.duration(to: now), pictures: pictures) }
    }

    /// - Returns: `false` if the owner must draw or hide the whole row.
    package func advance(by owner: ObjectIdentifier) -> Bool { state.withLock { $0.advance(by: owner) } }

    /// - Returns: `false` if the terminal is blocked, and the caller must try again.
    package func hide(_ owner: ObjectIdentifier) -> Bool { state.withLock { $0.hide(owner) } }

    package func print(_ text: String) { texts.sync { write(text) } }

    /// Writes a line for an indicator that doesn't draw. On a terminal, the line is dropped if the program is in the
    /// background when the line would be written. If the output is blocked, this method returns before the line is
    /// written.
    package func log(_ text: String) {
        texts.async(group: pending) {
            if self.device.conditions?.isForeground ?? true { self.write(text) }
        }
        // Another thread's text may block the output at any time.
        if device.wait(within: 0) != .busy { _ = pending.wait(timeout: .now() + .milliseconds(20)) }
    }

    /// For tests: returns after all logged lines have been written.
    package func waitForLog() { texts.sync {} }

    package func erase(until time: SuspendingClock.Instant) {
        repeatWhileBlocked { $0.erase(until: start.duration(to: time)) }
    }

    package func suspend<R, E: Error>(
        until pauseEnd: () -> SuspendingClock.Instant? = { nil }, _ body: () throws(E) -> R
    ) throws(E) -> R {
        state.withLock { $0.suspensions += 1 }
        repeatWhileBlocked { $0.erase(keepsProgress: true) }
        defer {
            let end = device.isOutputDelayed ? pauseEnd().map { start.duration(to: $0) } : nil
            state.withLock { $0.resume(until: end) }
        }
        // Dispatch blocks SIGTTOU on its threads. If the signal stayed blocked, `stty tostop` would have no effect on
        // the output of `body`.
        return try maskingSIGTTOU(SIG_UNBLOCK, body)
    }

    private func write(_ text: String) {
        if state.withLock({ $0.beginText(text) }) {
            repeatWhileBlocked { $0.continueText() }
        } else {
            suspend { device.write(text + "\n") }
        }
    }

    private func repeatWhileBlocked(_ action: (inout TerminalScreenState) -> TerminalOutcome) {
        while state.withLock(action) == .busy { _ = device.wait(within: -1) }
    }

    package func exit() {
        end(within: 1_000, SuspendingClock().now.advanced(by: .seconds(1)))
        _ = pending.wait(timeout: .now() + .seconds(1))
    }

    /// Erases the block for good, and doesn't wait for texts.
    ///
    /// - Parameters:
    ///   - milliseconds: How long the terminal may accept no byte.
    ///   - limit: When to give up.
    package func end(within milliseconds: Int32, _ limit: SuspendingClock.Instant) {
        // A signal handler of the program may call `exit` on the thread that holds the lock, so the wait for the lock
        // is limited.
        for _ in 0..<50 {
            if state.withLockIfAvailable({ $0.end(within: milliseconds, limit) }) != nil { return }
            usleep(1000)
        }
    }
}
