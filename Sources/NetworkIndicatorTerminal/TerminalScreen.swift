import NetworkIndicator

/// The line of a terminal that indicators draw on, and everything else that writes there.
///
/// A terminal has one such line, so a process has one such object, however many indicators it has: the one shown last
/// draws. Any thread; everything is written under one lock, and nothing of a caller's runs under it.
///
/// A text is written however long a stopped terminal takes, but who draws or hides, on the main actor, waits for nobody: a
/// frame is left out, and erasing is tried again.
package final class TerminalScreen: Sendable {
    package static let standardError = TerminalScreen(device: StandardErrorDevice())

    package let device: any TerminalDevice
    private let state: Lock<State>
    /// The visible indicators; the last one draws.
    private let owners = Lock<[ObjectIdentifier]>([])

    package init(device: any TerminalDevice) {
        self.device = device
        state = Lock(State(device: device))
    }

    /// Makes `owner` the one that draws.
    package func show(_ owner: ObjectIdentifier) {
        owners.withLock { $0.append(owner) }
    }

    /// Draws a line, provided that `owner` is the one that draws and nobody has suspended it.
    ///
    /// - Returns: Whether there is any point in drawing again: `false` when the terminal is gone.
    package func draw(_ line: TerminalLine, by owner: ObjectIdentifier, at now: SuspendingClock.Instant) -> Bool {
        state.withLockIfAvailable { state in
            if owners.withLock({ $0.last }) == owner {
                state.line = line
                state.draw(at: now)
            }
            return !state.isGone
        } ?? true
    }

    /// Takes what `owner` drew off the screen. Idempotent.
    ///
    /// - Returns: `false` if the terminal takes nothing at the moment, or somebody writes a text to it, so that this must be
    ///   tried again.
    package func hide(_ owner: ObjectIdentifier) -> Bool {
        state.withLockIfAvailable { state in
            let wasLast = owners.withLock { owners in
                defer { owners.removeAll { $0 == owner } }
                return owners.last == owner
            }
            if wasLast { state.line = nil }
            return state.line != nil || state.erase()
        } ?? false
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
    /// What the indicator that draws has drawn last.
    var line: TerminalLine?
    /// The width of what was drawn last; 0 when that is gone.
    private var drawnCells = 0
    /// When the terminal's progress bar was last asked for.
    private var progressSince: SuspendingClock.Instant?
    private var suspensions = 0
    private(set) var isGone = false

    init(device: any TerminalDevice) { self.device = device }

    /// - Parameter now: The time, or `nil` where the frame is only repeated: then the progress bar stays as it is.
    mutating func draw(at now: SuspendingClock.Instant?) {
        guard let line, suspensions == 0, !isGone else { return }
        transmit(.frame) { state, conditions in
            var frame = state.frame(line, conditions)
            if let now { state.updateProgress(line.progress, at: now, conditions, in: &frame) }
            return [frame]
        }
    }

    /// Returns `false` when it must be tried again.
    mutating func erase() -> Bool {
        guard !isGone else { return true }
        let outcome = transmit(.frame) { state, conditions in
            guard !conditions.marks.isEmpty else { return [] }
            var erasure = state.erasure(conditions) ?? TerminalTransmission("")
            state.clearProgress(conditions, in: &erasure)
            return [erasure]
        }
        return outcome != .busy
    }

    /// In three writes: a signal handler on this thread must know whether the line is the indicator's or the text's, which
    /// a terminal may take in parts.
    mutating func print(_ text: String, fromBackground: Bool = true) {
        transmit(.text) { state, conditions in
            guard fromBackground || conditions.isForeground else { return [] }
            let text = TerminalTransmission(text + "\n")
            guard conditions.isForeground, let erasure = state.erasure(conditions) else { return [text] }
            guard let line = state.line, state.suspensions == 0 else { return [erasure, text] }
            return [erasure, text, state.frame(line, conditions)]
        }
    }

    mutating func suspend() {
        suspensions += 1
        guard !isGone else { return }
        transmit(.text) { state, conditions in
            guard conditions.isForeground, let erasure = state.erasure(conditions) else { return [] }
            return [erasure]
        }
    }

    mutating func resume() {
        suspensions -= 1
        draw(at: nil)
    }

    @discardableResult
    private mutating func transmit(
        _ urgency: TerminalUrgency, _ compose: (inout State, TerminalConditions) -> [TerminalTransmission]
    ) -> TerminalOutcome {
        var next = self
        let outcome = device.transmit(urgency) { conditions in
            if !conditions.marks.contains(.line) { next.drawnCells = 0 }
            return compose(&next, conditions)
        }
        switch outcome {
        case .written: self = next
        case .busy, .background: break
        // A text may fail for reasons of its own, and only a frame takes the handlers away.
        case .failed: if urgency == .frame { isGone = true }
        }
        return outcome
    }

    /// Draws over what is there, without clearing it first: that would flicker. The cursor rests in column 0, so that
    /// other output, and a terminal that wraps its lines anew, find it there.
    private mutating func frame(_ line: TerminalLine, _ conditions: TerminalConditions) -> TerminalTransmission {
        let (text, cells) = line.text(columns: conditions.columns)
        defer { drawnCells = cells }
        return TerminalTransmission("\r\(text)\(clearing(conditions))\r", adds: .line)
    }

    private mutating func erasure(_ conditions: TerminalConditions) -> TerminalTransmission? {
        guard conditions.marks.contains(.line) else { return nil }
        defer { drawnCells = 0 }
        return TerminalTransmission("\r\(clearing(conditions))", removes: .line)
    }

    /// Clears the rest of the line; or of the screen, when the window has become so narrow that the line was wrapped.
    private func clearing(_ conditions: TerminalConditions) -> String {
        let isWrapped = conditions.columns > 0 && drawnCells > conditions.columns
        return isWrapped ? "\u{1B}[J" : "\u{1B}[K"
    }

    private mutating func updateProgress(
        _ progress: TerminalProgress, at now: SuspendingClock.Instant, _ conditions: TerminalConditions,
        in transmission: inout TerminalTransmission
    ) {
        let isOn = conditions.marks.contains(.progress)
        let isDue: Bool
        switch progress {
        case .none:
            clearProgress(conditions, in: &transmission)
            return
        case .transitions: isDue = !isOn
        case .repeated: isDue = !isOn || progressSince.map { $0.duration(to: now) >= .seconds(10) } ?? true
        }
        guard isDue else { return }
        progressSince = now
        transmission.bytes += TerminalProgress.start.utf8
        transmission.adds.insert(.progress)
    }

    private func clearProgress(_ conditions: TerminalConditions, in transmission: inout TerminalTransmission) {
        guard conditions.marks.contains(.progress) else { return }
        transmission.bytes += TerminalProgress.clear.utf8
        transmission.removes.insert(.progress)
    }
}
