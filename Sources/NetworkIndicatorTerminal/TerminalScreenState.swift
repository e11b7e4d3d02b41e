import NetworkIndicator

/// The state of the screen, and the bytes that change it. The screen's lock guards it.
struct TerminalScreenState {
    private let device: any TerminalDevice
    /// The visible indicators; the last one draws.
    private var owners: [ObjectIdentifier] = []
    /// The indicator that `line` belongs to.
    private var shown: ObjectIdentifier?
    /// The last line of the indicator that draws, and its time.
    private var latest: (line: TerminalLine, time: SuspendingClock.Instant)?
    /// The last frame that is still on the screen.
    private var drawn: Drawn?
    /// The end of a frame or text that the terminal has accepted in part. Nothing else is written before it, because the
    /// cursor may be inside a block of rows, and wrapping is off.
    private var rest: [UInt8] = []
    /// The state of the terminal's progress bar, and when it was set.
    private var progress: (state: TerminalProgress.State, time: SuspendingClock.Instant)?
    /// How many callers write other output.
    var suspensions = 0
    /// The row is not drawn before this time.
    private var earliestFrame: SuspendingClock.Instant?
    /// Further rows are not drawn before this time.
    private var earliestRows: SuspendingClock.Instant?
    /// Whether the terminal is lost, or the program has exited.
    private var isGone = false { didSet { device.release() } }

    private struct Drawn {
        var line: TerminalLine
        var conditions: TerminalConditions
        /// The number of rows drawn.
        var rows: Int
        /// Whether the window has become narrower than a row. The terminal may have wrapped the row, whose rest is then
        /// below it.
        var isWrapped: Bool
        /// When the whole frame was drawn.
        var time: SuspendingClock.Instant

        func isWrapped(in conditions: TerminalConditions) -> Bool {
            let columns = self.conditions.columns
            return isWrapped || conditions.columns < columns - TerminalLine.freeColumns(of: columns)
        }
    }

    /// How often an unchanged row is drawn again. Output of other code may have damaged it, or the program may have been
    /// stopped.
    private static let redrawInterval = Duration.milliseconds(500)

    /// How long further rows rest after the window's width has changed. While a window is dragged, the terminal may wrap
    /// them at any time, and a row that has moved can't be erased.
    private static let restAfterResize = Duration.seconds(1)

    init(device: any TerminalDevice) { self.device = device }

    mutating func show(_ owner: ObjectIdentifier, isStill: Bool) {
        owners.removeAll { $0 == owner }
        owners.insert(owner, at: isStill ? 0 : owners.count)
    }

    /// - Returns: `false` if the terminal no longer exists.
    mutating func draw(_ line: TerminalLine, by owner: ObjectIdentifier, at now: SuspendingClock.Instant) -> Bool {
        guard owners.last == owner else { return !isGone }
        (latest, shown) = ((line, now), owner)
        redraw()
        return !isGone
    }

    /// - Returns: `false` if the terminal is blocked, and the row is still visible.
    mutating func hide(_ owner: ObjectIdentifier) -> Bool {
        owners.removeAll { $0 == owner }
        guard shown == owner else { return true }
        latest = nil
        guard erase() != .busy else { return false }
        shown = nil
        device.release()
        return true
    }

    mutating func erase(until time: SuspendingClock.Instant) -> TerminalOutcome {
        earliestFrame = max(earliestFrame ?? time, time)
        return erase()
    }

    var isDrawn: Bool { drawn != nil }

    /// Erases the row for other output.
    mutating func eraseRow() -> TerminalOutcome {
        guard drawn != nil || !rest.isEmpty else { return .written }
        return transmit { $0.erasure($1) }
    }

    /// Writes a text over the row, and the row below it.
    ///
    /// - Parameter isBegun: Whether an earlier call has written a part. Then this call writes the rest.
    /// - Returns: `.busy` if this must be called again. If there is no row in the foreground, `isBegun` stays `false`.
    mutating func print(_ text: String, _ isBegun: inout Bool) -> TerminalOutcome {
        if isBegun { return send() }
        guard drawn != nil else { return .failed }
        var isForeground = false
        let outcome = transmit { state, conditions in
            isForeground = true
            return state.erasure(conditions) + text + "\n" + state.drawing(conditions)
        }
        isBegun = isForeground && (outcome == .written || !rest.isEmpty)
        return outcome
    }

    /// Draws the row again after other output.
    mutating func resume(until time: SuspendingClock.Instant?) {
        suspensions -= 1
        if let time { earliestFrame = max(earliestFrame ?? time, time) }
        redraw()
    }

    /// Erases everything, and draws nothing from now on. Waits up to a second while the terminal is blocked.
    mutating func end() {
        let limit = SuspendingClock().now.advanced(by: .seconds(1))
        while erase() == .busy, SuspendingClock().now < limit { _ = device.wait(within: 100) }
        isGone = true
    }

    private mutating func erase() -> TerminalOutcome {
        guard drawn != nil || progress != nil || !rest.isEmpty else { return .written }
        return transmit { $0.erasure($1) + $0.progressEnd() }
    }

    private mutating func redraw() {
        if latest != nil { _ = transmit { $0.drawing($1) } }
    }

    // MARK: Writing

    /// Writes the rest of an earlier frame, then as much of a new one as the terminal accepts.
    ///
    /// - Returns: `.busy` if bytes are left. If the terminal has accepted nothing of the new frame, it is dropped.
    private mutating func transmit(_ compose: (inout Self, TerminalConditions) -> String) -> TerminalOutcome {
        guard let conditions = device.conditions else {
            isGone = true
            return .failed
        }
        var outcome = send()
        guard outcome == .written else { return outcome }
        guard conditions.isForeground else {
            // The shell may have written since the last frame, so the row is no longer at the cursor. The terminal's
            // progress bar stays until the process is in the foreground again.
            drawn = nil
            return .written
        }
        let earlier = self
        let frame = compose(&self, conditions)
        // A terminal that supports synchronized updates shows all lines at once.
        rest = Array((frame.utf8.contains(0x0A) ? "\u{1B}[?2026h\(frame)\u{1B}[?2026l" : frame).utf8)
        let count = rest.count
        outcome = send()
        if outcome == .busy, rest.count == count { self = earlier }
        return outcome
    }

    /// - Returns: `.busy` if the terminal has not accepted all bytes.
    private mutating func send() -> TerminalOutcome {
        guard !isGone, let count = rest.isEmpty ? 0 : device.draw(rest) else {
            isGone = true
            return .failed
        }
        rest.removeFirst(count)
        return rest.isEmpty ? .written : .busy
    }

    // MARK: The row

    private mutating func drawing(_ conditions: TerminalConditions) -> String {
        guard let (line, time) = latest, suspensions == 0, earliestFrame.map({ time >= $0 }) ?? true else { return "" }
        earliestFrame = nil
        let row =
            line.isEmpty
            ? erasure(conditions) : pictureFrame(line, at: time, conditions) ?? frame(line, at: time, conditions)
        return row + progressUpdate(line, at: time)
    }

    /// Draws over the previous frame, because clearing it first would flicker.
    ///
    /// The cursor rests in column 0, which is blank, and where other output begins. Wrapping is off during the frame,
    /// because terminals disagree about the width of characters, and the window may just have become narrower. It is on
    /// again at the end of the same write, so a program that is killed leaves a terminal that works.
    private mutating func frame(
        _ line: TerminalLine, at now: SuspendingClock.Instant, _ conditions: TerminalConditions
    ) -> String {
        if let drawn, drawn.conditions.columns != conditions.columns {
            earliestRows = now.advanced(by: Self.restAfterResize)
        }
        let isResting = earliestRows.map { now < $0 } ?? false
        var rows = isResting ? [] : line.rows(columns: conditions.columns, height: conditions.rows)
        rows.insert(line.text(columns: conditions.columns), at: 0)
        let start = start(conditions)
        let surplus = max(0, (drawn?.rows ?? 1) - rows.count)
        drawn = Drawn(
            line: line, conditions: conditions, rows: rows.count, isWrapped: drawn?.isWrapped(in: conditions) ?? false,
            time: now)
        rows += [String](repeating: "", count: surplus)
        return "\u{1B}[?7l\(start)\(Self.text(of: rows))\r\u{1B}[?7h"
    }

    /// Draws only the spinner's picture, if the rest of the row is recent and unchanged.
    private func pictureFrame(
        _ line: TerminalLine, at now: SuspendingClock.Instant, _ conditions: TerminalConditions
    ) -> String? {
        guard let drawn, drawn.time.duration(to: now) < Self.redrawInterval, drawn.conditions == conditions,
            !line.isStill, line.hasSameText(as: drawn.line)
        else { return nil }
        return "\r\(line.picture(columns: conditions.columns))\r"
    }

    /// Erases each row separately, unless the terminal may have wrapped one. After `ESC [J`, VTE 0.70 leaves a row
    /// behind whenever the window becomes narrower. The line feed ends a wrapped row: kitty 0.26 would join the next
    /// text to it when the window becomes wider.
    ///
    /// Switches wrapping on and ends the synchronized update, because Ctrl-C drops the unread end of a frame.
    private mutating func erasure(_ conditions: TerminalConditions) -> String {
        guard let drawn else { return "" }
        defer { self.drawn = nil }
        let rows = [String](repeating: "", count: drawn.rows)
        let text = drawn.isWrapped(in: conditions) ? "\r\u{1B}[J\n" : Self.text(of: rows)
        return "\u{1B}[?7h\(start(conditions))\(text)"
    }

    /// Draws the rows below each other, and moves the cursor back to the first.
    private static func text(of rows: [String]) -> String {
        let text = rows.map { "\r\($0)\u{1B}[K" }.joined(separator: "\n")
        return rows.count == 1 ? text : text + "\u{1B}[\(rows.count - 1)A"
    }

    /// Moves the cursor back to the row if Enter has moved it down.
    ///
    /// Enter increases the number of bytes that wait to be read, because a terminal counts complete lines only. The
    /// number of lines is unknown. Moving one row up is safe; further up, there may be other output.
    private func start(_ conditions: TerminalConditions) -> String {
        drawn.map { conditions.typedBytes > $0.conditions.typedBytes } ?? false ? "\r\u{1B}[K\u{1B}[A" : ""
    }

    // MARK: The terminal's progress bar

    private mutating func progressUpdate(_ line: TerminalLine, at now: SuspendingClock.Instant) -> String {
        guard line.progress != .none else { return progressEnd() }
        let state = line.progressState
        if let progress {
            let age = progress.time.duration(to: now)
            guard
                progress.state != state
                    ? age >= .milliseconds(100) || state == .percent(100)
                    : line.progress == .repeated && age >= .seconds(10)
            else { return "" }
        }
        progress = (state, now)
        return state.sequence
    }

    private mutating func progressEnd() -> String {
        guard progress != nil else { return "" }
        progress = nil
        return TerminalProgress.clear
    }
}
