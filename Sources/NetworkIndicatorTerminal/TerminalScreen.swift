import NetworkIndicator

/// The line of a terminal that indicators draw on, and everything else that writes there.
///
/// A terminal has one such line, so a process has one such object, however many indicators it has: the one shown last
/// draws. Any thread; everything is written under one lock, and nothing of a caller's runs under it.
package final class TerminalScreen: Sendable {
    package static let standardError = TerminalScreen(device: StandardErrorDevice())

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

    /// Draws a line, provided that `owner` is the one that draws and nobody has suspended it.
    ///
    /// - Returns: Whether there is any point in drawing again: `false` when the terminal is gone.
    package func draw(_ line: TerminalLine, by owner: ObjectIdentifier, at now: SuspendingClock.Instant) -> Bool {
        state.withLock { state in
            if state.owners.last == owner {
                state.line = line
                state.draw(at: now)
            }
            return !state.isGone
        }
    }

    /// Takes what `owner` drew off the screen. Idempotent.
    ///
    /// - Returns: `false` if the terminal takes nothing at the moment, so that this must be tried again.
    package func hide(_ owner: ObjectIdentifier) -> Bool {
        state.withLock { state in
            if state.owners.last == owner { state.line = nil }
            state.owners.removeAll { $0 == owner }
            return state.line != nil || state.erase()
        }
    }

    /// Writes a line of text, above the indicator's.
    package func print(_ text: String) {
        state.withLock { $0.print(text) }
    }

    /// Writes a line of text for an indicator that does not draw: not from the background.
    package func log(_ text: String) {
        state.withLock { $0.print(text, fromBackground: false) }
    }

    /// Takes the line off the screen while `body` runs. The terminal's progress bar stays.
    package func suspend<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        state.withLock { $0.suspend() }
        defer { state.withLock { $0.resume() } }
        return try body()
    }
}

/// Guarded by the screen's lock.
private struct State {
    private let device: any TerminalDevice
    /// The visible indicators; the last one draws.
    var owners: [ObjectIdentifier] = []
    /// What that one drew last.
    var line: TerminalLine?
    /// The width of what is on the screen, or `nil` when nothing is.
    private var drawnCells: Int?
    /// When the terminal's progress bar was last asked for, or `nil` when it is off.
    private var progressSince: SuspendingClock.Instant?
    private var suspensions = 0
    private(set) var isGone = false

    init(device: any TerminalDevice) { self.device = device }

    private var marks: TerminalMarks {
        TerminalMarks(drawnCells == nil ? [] : [.line]).union(progressSince == nil ? [] : [.progress])
    }

    /// - Parameter now: The time, or `nil` where the frame is only repeated: then the progress bar stays as it is.
    mutating func draw(at now: SuspendingClock.Instant?) {
        guard let line, suspensions == 0, !isGone else { return }
        var next = self
        let outcome = device.transmit(.frame) { conditions in
            next.noteCleaning(conditions)
            let bytes = next.frame(line, conditions) + (now.map { next.progress(line.progress, at: $0) } ?? "")
            return TerminalTransmission(bytes, leaving: next.marks)
        }
        note(outcome, next)
    }

    /// Returns `false` when it must be tried again.
    mutating func erase() -> Bool {
        guard !marks.isEmpty else { return true }
        var next = self
        let outcome = device.transmit(.frame) { conditions in
            next.noteCleaning(conditions)
            let bytes = next.erasure(conditions) + (next.progressSince == nil ? "" : TerminalProgress.clear)
            next.progressSince = nil
            return TerminalTransmission(bytes, leaving: next.marks)
        }
        note(outcome, next)
        return outcome != .busy
    }

    mutating func print(_ text: String, fromBackground: Bool = true) {
        var next = self
        let outcome = device.transmit(.text) { conditions in
            guard fromBackground || conditions.isForeground else { return nil }
            next.noteCleaning(conditions)
            guard let line, next.drawnCells != nil, conditions.isForeground else {
                return TerminalTransmission(text + "\n", leaving: next.marks)
            }
            let bytes = next.erasure(conditions) + text + "\n" + next.frame(line, conditions)
            return TerminalTransmission(bytes, leaving: next.marks)
        }
        note(outcome, next)
    }

    mutating func suspend() {
        suspensions += 1
        guard drawnCells != nil else { return }
        var next = self
        let outcome = device.transmit(.text) { conditions in
            next.noteCleaning(conditions)
            return TerminalTransmission(conditions.isForeground ? next.erasure(conditions) : "", leaving: next.marks)
        }
        note(outcome, next)
    }

    mutating func resume() {
        suspensions -= 1
        draw(at: nil)
    }

    private mutating func noteCleaning(_ conditions: TerminalConditions) {
        guard conditions.wasCleaned else { return }
        drawnCells = nil
        progressSince = nil
    }

    private mutating func note(_ outcome: TerminalOutcome, _ next: State) {
        switch outcome {
        case .written: self = next
        case .busy: break
        // What stood there has scrolled away: the shell has written since.
        case .background: (drawnCells, progressSince) = (nil, nil)
        case .failed: (drawnCells, progressSince, isGone) = (nil, nil, true)
        }
    }

    /// Draws over what is there, without clearing it first: that would flicker. The cursor rests in column 0, so that
    /// other output, and a terminal that wraps its lines anew, find it there.
    private mutating func frame(_ line: TerminalLine, _ conditions: TerminalConditions) -> String {
        let (text, cells) = line.text(columns: conditions.columns)
        defer { drawnCells = cells }
        return "\r\(text)\(clearing(conditions))\r"
    }

    private mutating func erasure(_ conditions: TerminalConditions) -> String {
        guard drawnCells != nil else { return "" }
        defer { drawnCells = nil }
        return "\r\(clearing(conditions))"
    }

    /// Clears the rest of the line; or of the screen, when the window has become so narrow that the line was wrapped.
    private func clearing(_ conditions: TerminalConditions) -> String {
        let isWrapped = conditions.columns > 0 && drawnCells ?? 0 > conditions.columns
        return isWrapped ? "\u{1B}[J" : "\u{1B}[K"
    }

    private mutating func progress(_ progress: TerminalProgress, at now: SuspendingClock.Instant) -> String {
        switch (progress, progressSince) {
        case (.none, nil), (.transitions, .some):
            return ""
        case (.none, .some):
            progressSince = nil
            return TerminalProgress.clear
        case (.repeated, .some(let since)) where since.duration(to: now) < .seconds(10):
            return ""
        case (.transitions, nil), (.repeated, _):
            progressSince = now
            return TerminalProgress.start
        }
    }
}
