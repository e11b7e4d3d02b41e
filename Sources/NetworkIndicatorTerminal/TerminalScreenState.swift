import NetworkIndicator

/// What is on the screen, and what to write to change that. Guarded by the screen's lock.
struct TerminalScreenState {
    private let device: any TerminalDevice
    /// What the indicator that draws has drawn last.
    var line: TerminalLine?
    /// The window's width and the number of rows at the last frame; 0 when that is gone.
    private var drawnColumns = 0
    private var drawnRows = 0
    /// What was typed and not read at the last frame.
    private var typedBytes = 0
    /// What the terminal's progress bar was last set to, and when.
    private var progress: (state: TerminalProgress.State, time: SuspendingClock.Instant)?
    private var suspensions = 0
    /// The row is not drawn before this time.
    private var earliestFrame: SuspendingClock.Instant?
    private var isGone = false

    init(device: any TerminalDevice) { self.device = device }

    /// - Parameter now: The time, or `nil` where the frame is only repeated: then the progress bar stays as it is.
    @discardableResult
    mutating func draw(at now: SuspendingClock.Instant?) -> TerminalOutcome {
        guard !isGone else { return .failed }
        guard let line, suspensions == 0 else { return .written }
        if let earliestFrame {
            guard let now, now >= earliestFrame else { return .written }
            self.earliestFrame = nil
        }
        return transmit(.frame) { state, conditions in
            var frame =
                line.isEmpty
                ? state.erasure(conditions) ?? TerminalTransmission("") : state.frame(line, conditions)
            if let now { state.updateProgress(line, at: now, conditions, in: &frame) }
            return frame.bytes.isEmpty ? [] : [frame]
        }
    }

    mutating func erase() -> TerminalOutcome {
        guard !isGone else { return .failed }
        return transmit(.frame) { state, conditions in
            guard !conditions.marks.isEmpty else { return [] }
            var erasure = state.erasure(conditions) ?? TerminalTransmission("")
            state.clearProgress(conditions, in: &erasure)
            return [erasure]
        }
    }

    mutating func erase(until time: SuspendingClock.Instant) {
        earliestFrame = max(earliestFrame ?? time, time)
        eraseLine()
    }

    /// In three writes: a signal handler on this thread must know whether the line is the indicator's or the text's, which
    /// a terminal may take in parts.
    mutating func print(_ text: String, fromBackground: Bool = true) {
        transmit(.text) { state, conditions in
            guard fromBackground || conditions.isForeground else { return [] }
            let text = TerminalTransmission(text + "\n")
            guard conditions.isForeground, let erasure = state.erasure(conditions) else { return [text] }
            guard let line = state.line, !line.isEmpty, state.suspensions == 0, state.earliestFrame == nil else {
                return [erasure, text]
            }
            return [erasure, text, state.frame(line, conditions)]
        }
    }

    mutating func suspend() {
        suspensions += 1
        eraseLine()
    }

    mutating func resume() {
        suspensions -= 1
        draw(at: nil)
    }

    private mutating func eraseLine() {
        guard !isGone else { return }
        transmit(.text) { state, conditions in
            guard conditions.isForeground, let erasure = state.erasure(conditions) else { return [] }
            return [erasure]
        }
    }

    @discardableResult
    private mutating func transmit(
        _ urgency: TerminalUrgency, _ compose: (inout Self, TerminalConditions) -> [TerminalTransmission]
    ) -> TerminalOutcome {
        var next = self
        let outcome = device.transmit(urgency) { conditions in
            if !conditions.marks.contains(.line) {
                (next.drawnColumns, next.drawnRows, next.typedBytes) = (0, 0, conditions.typedBytes)
            }
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

    // MARK: The row

    /// Draws over what is there, without clearing it first: that would flicker. The cursor is hidden, because it would
    /// cover the glyph. It rests in column 0, so that other output, and a terminal that wraps its lines anew, find it
    /// there. Wrapping is off, because terminals disagree about the width of characters, and the window may just have
    /// become narrower.
    private mutating func frame(_ line: TerminalLine, _ conditions: TerminalConditions) -> TerminalTransmission {
        let rows = line.rows(columns: conditions.columns, height: conditions.rows)
        let (start, clearsScreen) = start(conditions)
        defer {
            (drawnColumns, drawnRows, typedBytes) = (conditions.columns, 1 + rows.count, conditions.typedBytes)
        }
        let text = start + "\r" + line.text(columns: conditions.columns)
        let cursor = line.showsCursor ? "" : "\u{1B}[?25l"
        if rows.isEmpty {
            let end = clearsScreen ? "\u{1B}[J" : "\u{1B}[K"
            return TerminalTransmission("\(cursor)\u{1B}[?7l\(text)\(end)\r\u{1B}[?7h", adds: .line)
        }
        let others = rows.map { "\u{1B}[K\r\n\($0)" }.joined()
        return TerminalTransmission(
            "\u{1B}[?2026h\(cursor)\u{1B}[?7l\(text)\(others)\u{1B}[J\r\u{1B}[\(rows.count)A\u{1B}[?7h\u{1B}[?2026l",
            adds: .line)
    }

    private mutating func erasure(_ conditions: TerminalConditions) -> TerminalTransmission? {
        guard conditions.marks.contains(.line) else { return nil }
        defer { (drawnColumns, drawnRows) = (0, 0) }
        return TerminalTransmission(start(conditions).text + TerminalScreen.erasure, removes: .line)
    }

    /// Goes to where the row begins.
    ///
    /// Enter moves the cursor a row down. How many bytes of complete lines wait to be read shows that it was pressed. Not
    /// how often: one row up is safe, more might be a line of other output.
    ///
    /// - Returns: Also whether anything below the row is to be cleared.
    private func start(_ conditions: TerminalConditions) -> (text: String, clearsScreen: Bool) {
        let hasMoved = drawnRows > 0 && conditions.typedBytes > typedBytes
        let isWrapped = conditions.columns < drawnColumns
        return (hasMoved ? "\u{1B}[A" : "", hasMoved || isWrapped || drawnRows > 1)
    }

    // MARK: The terminal's progress bar

    private mutating func updateProgress(
        _ line: TerminalLine, at now: SuspendingClock.Instant, _ conditions: TerminalConditions,
        in transmission: inout TerminalTransmission
    ) {
        guard line.progress != .none else { return clearProgress(conditions, in: &transmission) }
        let state = line.progressState
        if conditions.marks.contains(.progress), let progress {
            let age = progress.time.duration(to: now)
            guard
                progress.state != state
                    ? age >= .milliseconds(100) : line.progress == .repeated && age >= .seconds(10)
            else { return }
        }
        progress = (state, now)
        transmission.bytes += state.sequence.utf8
        transmission.adds.insert(.progress)
    }

    private func clearProgress(_ conditions: TerminalConditions, in transmission: inout TerminalTransmission) {
        guard conditions.marks.contains(.progress) else { return }
        transmission.bytes += TerminalProgress.clear.utf8
        transmission.removes.insert(.progress)
    }
}
