import NetworkIndicator

/// The state of the screen, and the bytes that change it. The screen's lock guards it.
struct TerminalScreenState {
    private let device: any TerminalDevice
    /// The last line of the indicator that draws.
    var line: TerminalLine?
    /// The last frame that is still on the screen.
    private var drawn: Drawn?
    /// The number of typed and unread bytes at the last frame.
    private var typedBytes = 0
    /// The last state of the terminal's progress bar, and when it was set.
    private var progress: (state: TerminalProgress.State, time: SuspendingClock.Instant)?
    private var suspensions = 0
    /// The row is not drawn before this time.
    private var earliestFrame: SuspendingClock.Instant?
    private var isGone = false

    private struct Drawn {
        var line: TerminalLine
        /// The window's width and height.
        var columns: Int
        var height: Int
        /// The number of rows drawn.
        var rows: Int
        /// Whether the window has become narrower. The terminal may have wrapped a row, whose rest is then below it.
        var isWrapped: Bool
        /// When the frame was drawn, if the time was known.
        var time: SuspendingClock.Instant?
    }

    /// How often an unchanged row is drawn again, because output of other code may have damaged it.
    private static let redrawInterval = Duration.seconds(1)

    init(device: any TerminalDevice) { self.device = device }

    /// - Parameter now: The time, or `nil` to repeat the frame and leave the progress bar unchanged.
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
                ? state.erasure(conditions) ?? TerminalTransmission("")
                : state.pictureFrame(line, at: now, conditions) ?? state.frame(line, at: now, conditions)
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

    /// The erasure, the text and the frame are separate writes, because a terminal may accept only a part of a text. A
    /// signal handler that runs then must know that the row no longer belongs to the indicator.
    mutating func print(_ text: String, fromBackground: Bool = true) {
        transmit(.text) { state, conditions in
            guard fromBackground || conditions.isForeground else { return [] }
            let text = TerminalTransmission(text + "\n")
            guard conditions.isForeground, let erasure = state.erasure(conditions) else { return [text] }
            guard let line = state.line, !line.isEmpty, state.suspensions == 0, state.earliestFrame == nil else {
                return [erasure, text]
            }
            return [erasure, text, state.frame(line, at: nil, conditions)]
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
                (next.drawn, next.typedBytes) = (nil, conditions.typedBytes)
            }
            return compose(&next, conditions)
        }
        switch outcome {
        case .written: self = next
        case .busy, .background: break
        // If a text fails, a frame may still succeed.
        case .failed: if urgency == .frame { isGone = true }
        }
        return outcome
    }

    // MARK: The row

    /// Draws over the previous frame, because clearing it first would flicker.
    ///
    /// The cursor is hidden, because it would cover the glyph. It rests in column 0, where other output begins. Wrapping is
    /// off during the frame, because terminals disagree about the width of characters, and the window may just have become
    /// narrower.
    private mutating func frame(
        _ line: TerminalLine, at now: SuspendingClock.Instant?, _ conditions: TerminalConditions
    ) -> TerminalTransmission {
        var rows = line.rows(columns: conditions.columns, height: conditions.rows)
        let start = (line.showsCursor ? "" : "\u{1B}[?25l") + "\u{1B}[?7l" + start(conditions)
        let isWrapped = isWrapped(conditions) ?? false
        let surplus = max(0, (drawn?.rows ?? 1) - 1 - rows.count)
        drawn = Drawn(
            line: line, columns: conditions.columns, height: conditions.rows, rows: 1 + rows.count,
            isWrapped: isWrapped, time: now)
        typedBytes = conditions.typedBytes
        rows.insert(line.text(columns: conditions.columns), at: 0)
        rows += [String](repeating: "", count: surplus)
        let text = Self.text(of: rows)
        return rows.count == 1
            ? TerminalTransmission("\(start)\(text)\u{1B}[?7h", adds: .line)
            : TerminalTransmission("\u{1B}[?2026h\(start)\(text)\u{1B}[?7h\u{1B}[?2026l", adds: .line)
    }

    /// Draws only the spinner's picture, if the rest of the row is recent and unchanged.
    private func pictureFrame(
        _ line: TerminalLine, at now: SuspendingClock.Instant?, _ conditions: TerminalConditions
    ) -> TerminalTransmission? {
        guard let now, let drawn, let time = drawn.time, time.duration(to: now) < Self.redrawInterval,
            drawn.columns == conditions.columns, drawn.height == conditions.rows, typedBytes == conditions.typedBytes,
            !line.isStill, line.hasSameText(as: drawn.line)
        else { return nil }
        return TerminalTransmission("\r\(line.picture(columns: conditions.columns))\r", adds: .line)
    }

    /// Erases each row separately, unless the terminal may have wrapped one. After `ESC [J`, VTE 0.70 leaves a row
    /// behind whenever the window becomes narrower.
    private mutating func erasure(_ conditions: TerminalConditions) -> TerminalTransmission? {
        guard conditions.marks.contains(.line) else { return nil }
        let start = start(conditions)
        let isWrapped = isWrapped(conditions) ?? true
        let rows = [String](repeating: "", count: drawn?.rows ?? 1)
        drawn = nil
        let text = isWrapped ? "\r\u{1B}[J" : Self.text(of: rows)
        return TerminalTransmission(start + text + TerminalScreen.modes, removes: .line)
    }

    /// Whether the terminal may have wrapped a row; `nil` if no complete frame is known to be on the screen.
    private func isWrapped(_ conditions: TerminalConditions) -> Bool? {
        drawn.map { $0.isWrapped || conditions.columns < $0.columns }
    }

    /// Draws the rows below each other, and moves the cursor back to the first.
    private static func text(of rows: [String]) -> String {
        let text = rows.map { "\r\($0)\u{1B}[K" }.joined(separator: "\n")
        return rows.count == 1 ? text + "\r" : text + "\r\u{1B}[\(rows.count - 1)A"
    }

    /// Moves the cursor back to the row if Enter has moved it down.
    ///
    /// Enter increases the number of bytes that wait to be read, because a terminal counts complete lines only. The
    /// number of lines is unknown. Moving one row up is safe; further up, there may be other output.
    private func start(_ conditions: TerminalConditions) -> String {
        drawn != nil && conditions.typedBytes > typedBytes ? "\r\u{1B}[K\u{1B}[A" : ""
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
                    ? age >= .milliseconds(100) || state == .percent(100) || state == .failed(100)
                    : line.progress == .repeated && age >= .seconds(10)
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
