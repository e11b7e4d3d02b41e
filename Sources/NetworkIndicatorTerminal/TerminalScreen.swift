import NetworkIndicator

/// The line of a terminal that indicators draw on, and everything else that writes there.
///
/// A terminal has one such line, so a process has one such object, however many indicators it has: the one shown last
/// draws. Any thread; everything is written under one lock, and nothing of a caller's runs under it.
package final class TerminalScreen: Sendable {
    package let device: any TerminalDevice
    private let state: Lock<State>

    package init(device: any TerminalDevice) {
        self.device = device
        state = Lock(State(device: device))
    }

    /// Makes `owner` the one that draws.
    package func show(_ owner: ObjectIdentifier) {
        state.withLock { $0.owners.append(owner) }
    }

    /// Draws a line, provided that `owner` is the one that draws.
    ///
    /// - Returns: Whether there is any point in drawing again: `false` when the terminal is gone.
    package func draw(_ line: TerminalLine, by owner: ObjectIdentifier) -> Bool {
        state.withLock { state in
            if state.owners.last == owner, state.suspensions == 0, !state.isGone {
                state.line = line
                state.draw()
            }
            return !state.isGone
        }
    }

    /// Takes the line of `owner` off the screen.
    ///
    /// - Returns: `false` if the terminal takes nothing at the moment, so that this must be tried again.
    package func hide(_ owner: ObjectIdentifier) -> Bool {
        state.withLock { state in
            if state.owners.last == owner { state.line = nil }
            state.owners.removeAll { $0 == owner }
            return state.line != nil || state.erase(.frame)
        }
    }

    /// Writes a line of text above the indicator's.
    package func print(_ text: String) {
        state.withLock { $0.print(text) }
    }

    /// Takes the line off the screen while `body` runs.
    package func suspend<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        state.withLock { state in
            state.suspensions += 1
            _ = state.erase(.text)
        }
        defer {
            state.withLock { state in
                state.suspensions -= 1
                if state.suspensions == 0 { state.draw() }
            }
        }
        return try body()
    }
}

/// Guarded by the screen's lock.
private struct State {
    let device: any TerminalDevice
    /// The visible indicators; the last one draws.
    var owners: [ObjectIdentifier] = []
    /// What that one drew last.
    var line: TerminalLine?
    var isOnScreen = false
    var suspensions = 0
    var isGone = false

    init(device: any TerminalDevice) { self.device = device }

    private static let erasure = "\r\u{1B}[K"

    mutating func draw() {
        guard let line, !isGone else { return }
        let outcome = device.transmit(.frame) { conditions in
            TerminalTransmission(Self.frame(line, conditions), cleanUp: Self.erasure)
        }
        note(outcome, isOnScreen: true)
    }

    /// Idempotent. Returns `false` when it must be tried again.
    mutating func erase(_ urgency: TerminalUrgency) -> Bool {
        guard isOnScreen, !isGone else { return true }
        let outcome = device.transmit(urgency) { conditions in
            conditions.isForeground ? TerminalTransmission(Self.erasure, cleanUp: "") : nil
        }
        note(outcome, isOnScreen: false)
        return !isOnScreen
    }

    mutating func print(_ text: String) {
        _ = device.transmit(.text) { conditions in
            guard isOnScreen, conditions.isForeground, let line else {
                return TerminalTransmission(text + "\n", cleanUp: "")
            }
            return TerminalTransmission(
                Self.erasure + text + "\n" + Self.frame(line, conditions), cleanUp: Self.erasure)
        }
    }

    private static func frame(_ line: TerminalLine, _ conditions: TerminalConditions) -> String {
        "\r\(line.text(columns: conditions.columns).text)\u{1B}[K\r"
    }

    private mutating func note(_ outcome: TerminalOutcome, isOnScreen: Bool) {
        switch outcome {
        case .written: self.isOnScreen = isOnScreen
        case .busy: break
        // What stood there has scrolled away: the shell has written since.
        case .background: self.isOnScreen = false
        case .failed:
            self.isOnScreen = false
            isGone = true
        }
    }
}
