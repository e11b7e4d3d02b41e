import NetworkIndicator

/// The state of the screen, which creates the bytes to write. The screen's lock guards this state.
///
/// Times are relative to the start of the screen. With `Instant`, whose size is unknown to the compiler, each access to
/// the state would be slower.
struct TerminalScreenState {
    private let device: any TerminalDevice
    /// The visible indicators. The last one draws.
    private var owners: [ObjectIdentifier] = []
    /// The indicator that the latest line belongs to.
    private var shown: ObjectIdentifier?
    private var latest: Latest?
    /// The index of the spinner's picture.
    private var picture = -1
    /// The number of pictures to draw before the last line is out of date.
    private var remainingPictures = 0
    /// The last frame, if it is still on the screen.
    private var drawn: Drawn?
    /// The remaining bytes of a frame or text that the terminal has accepted in part. They are written before anything
    /// else, because the cursor may be inside a block of rows and wrapping may be off.
    private var rest: [UInt8] = []
    /// The time until which the terminal counts as slow, because it has accepted only a part of a frame.
    private var slowUntil: Duration?
    private var progress: Progress?
    /// The number of callers that write other output.
    var suspensions = 0
    /// The time before which the row isn't drawn.
    private var earliestFrame: Duration?
    /// The time before which the rows below the main row aren't drawn.
    private var earliestRows: Duration?
    /// Whether the terminal no longer exists, or the program is exiting.
    private var isGone = false { didSet { device.release() } }

    /// The time for which the rows below the main row are hidden after the window's width has changed. While a window
    /// is resized, the terminal may wrap rows at any time. A row that has moved can't be erased.
    private static let restAfterResize = Duration.seconds(1)

    /// The time for which a terminal counts as slow. In this time, a slow terminal accepts a part of a frame again.
    private static let slownessTimeLimit = Duration.seconds(10)

    init(device: any TerminalDevice) { self.device = device }

    mutating func show(_ owner: ObjectIdentifier, isStill: Bool) {
        owners.removeAll { $0 == owner }
        owners.insert(owner, at: isStill ? 0 : owners.count)
    }

    /// - Returns: `false` if the terminal no longer exists.
    mutating func draw(
        _ line: TerminalLine, by owner: ObjectIdentifier, at now: Duration, pictures: Int
    ) -> Bool {
        guard owners.last == owner else { return !isGone }
        (latest, shown, remainingPictures) = (Latest(line: line, time: now), owner, pictures)
        picture += 1
        redraw()
        return !isGone
    }

    /// Draws the spinner's next picture over the previous one.
    ///
    /// - Returns: `false` if the owner must draw or hide the whole row.
    mutating func advance(by owner: ObjectIdentifier) -> Bool {
        guard owners.last == owner else { return owners.contains(owner) }
        guard shown == owner, let pictures = latest?.line.pictures, !pictures.isEmpty, remainingPictures > 0 else {
            return false
        }
        guard suspensions == 0 else { return true }
        var outcome = TerminalOutcome.written
        guard let conditions = prepare(&outcome) else { return outcome != .failed }
        guard drawn?.conditions == conditions else { return false }
        remainingPictures -= 1
        picture += 1
        let next = pictures[picture % pictures.count]
        guard next.fits(columns: conditions.columns) else { return true }
        rest = next.frame
        // A copy of the whole state, as `transmit` makes it, would take a tenth of the time.
        if send() == .busy, rest.count == next.frame.count { rest = [] }
        return !isGone
    }

    /// - Returns: `false` if the terminal is blocked. The row is then still visible.
    mutating func hide(_ owner: ObjectIdentifier) -> Bool {
        owners.removeAll { $0 == owner }
        guard shown == owner else { return true }
        latest = nil
        guard erase() != .busy else { return false }
        shown = nil
        device.release()
        return true
    }

    mutating func erase(until time: Duration) -> TerminalOutcome {
        earliestFrame = max(earliestFrame ?? time, time)
        return erase()
    }

    var isDrawn: Bool { drawn != nil }

    /// Erases the row before other output.
    mutating func eraseRow() -> TerminalOutcome {
        guard drawn != nil || !rest.isEmpty else { return .written }
        return transmit { $0.erasure($1) }
    }

    /// Writes text in place of the row, and draws the row again below the text.
    ///
    /// - Parameter isBegun: Whether an earlier call has written a part of the text. This call then writes the rest.
    /// - Returns: `.busy` if the caller must call this again. If there is no row in the foreground, `isBegun` stays
    ///   `false`.
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

    /// Ends a suspension, and draws the row again after other output.
    mutating func resume(until time: Duration?) {
        suspensions -= 1
        if let time { earliestFrame = max(earliestFrame ?? time, time) }
        redraw()
    }

    /// Erases everything, and prevents all later drawing. While the terminal is blocked, it waits up to a second.
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

    /// Writes the rest of an earlier frame, and then as many bytes of a new frame as the terminal accepts.
    ///
    /// - Returns: `.busy` if bytes are left. If the terminal has accepted nothing of the new frame, the frame is
    ///   dropped.
    private mutating func transmit(_ compose: (inout Self, TerminalConditions) -> String) -> TerminalOutcome {
        var outcome = TerminalOutcome.written
        guard let conditions = prepare(&outcome) else { return outcome }
        let earlier = self
        let frame = compose(&self, conditions)
        // A terminal that supports synchronized updates shows all lines at once.
        let isUpdate = !isSlow && frame.utf8.contains(0x0A)
        rest = Array((isUpdate ? "\u{1B}[?2026h\(frame)\u{1B}[?2026l" : frame).utf8)
        let count = rest.count
        outcome = send()
        if outcome == .busy, rest.count == count { self = earlier }
        return outcome
    }

    /// Writes the rest of an earlier frame.
    ///
    /// - Returns: The conditions of the next frame, or `nil` if none can be drawn.
    private mutating func prepare(_ outcome: inout TerminalOutcome) -> TerminalConditions? {
        guard let conditions = device.conditions else {
            isGone = true
            outcome = .failed
            return nil
        }
        outcome = send()
        guard outcome == .written else { return nil }
        guard conditions.isForeground else {
            // The shell may have written since the last frame, so the row is no longer at the cursor. The terminal's
            // progress bar stays until the process is in the foreground again.
            drawn = nil
            return nil
        }
        return conditions
    }

    /// - Returns: `.busy` if the terminal has not accepted all bytes.
    private mutating func send() -> TerminalOutcome {
        guard !isGone, let count = rest.isEmpty ? 0 : device.draw(rest) else {
            isGone = true
            return .failed
        }
        rest = count < rest.count ? Array(rest.dropFirst(count)) : []
        if count > 0, !rest.isEmpty, let latest { slowUntil = latest.time + Self.slownessTimeLimit }
        return rest.isEmpty ? .written : .busy
    }

    /// Whether the terminal reads more slowly than frames are drawn. Ctrl-C then discards the unread end of a frame, so
    /// a frame must not change a mode and change it back later.
    private var isSlow: Bool { latest.flatMap { latest in slowUntil.map { latest.time < $0 } } ?? false }

    // MARK: The row

    private mutating func drawing(_ conditions: TerminalConditions) -> String {
        guard let latest, suspensions == 0, earliestFrame.map({ latest.time >= $0 }) ?? true else { return "" }
        var (line, time) = (latest.line, latest.time)
        if !line.pictures.isEmpty { line.glyph = line.pictures[picture % line.pictures.count].text }
        earliestFrame = nil
        let row = line.isEmpty ? erasure(conditions) : frame(line, at: time, conditions)
        return row + progressUpdate(line, at: time)
    }

    /// Draws over the previous frame, because clearing it first would flicker.
    ///
    /// The cursor rests in column 0, which is blank. Other output begins there. Wrapping is off during the frame,
    /// because terminals disagree about the width of characters, and the window may just have become narrower. The same
    /// write turns wrapping on again, so a program that is killed leaves a working terminal. On a slow terminal, wrapping
    /// stays on.
    private mutating func frame(
        _ line: TerminalLine, at now: Duration, _ conditions: TerminalConditions
    ) -> String {
        if let drawn, drawn.conditions.columns != conditions.columns {
            earliestRows = now + Self.restAfterResize
        }
        let isResting = earliestRows.map { now < $0 } ?? false
        var rows = isResting ? [] : line.rows(columns: conditions.columns, height: conditions.rows)
        rows.insert(line.text(columns: conditions.columns), at: 0)
        let start = start(conditions)
        let surplus = max(0, (drawn?.rows ?? 1) - rows.count)
        drawn = Drawn(
            conditions: conditions, rows: rows.count, isWrapped: drawn?.isWrapped(in: conditions) ?? false)
        rows += [String](repeating: "", count: surplus)
        let frame = "\(start)\(Self.text(of: rows))\r"
        return isSlow ? frame : "\u{1B}[?7l\(frame)\u{1B}[?7h"
    }

    /// Returns codes that erase each row separately, unless the terminal may have wrapped one. After `ESC [J`, VTE 0.70
    /// leaves a row behind whenever the window becomes narrower. The line feed ends a wrapped row. Without it, kitty
    /// 0.26 would join the next text to that row when the window becomes wider.
    ///
    /// An erasure also turns wrapping on and ends the synchronized update, because Ctrl-C drops the unread end of a
    /// frame.
    private mutating func erasure(_ conditions: TerminalConditions) -> String {
        guard let drawn else { return "" }
        defer { self.drawn = nil }
        let rows = [String](repeating: "", count: drawn.rows)
        let text = drawn.isWrapped(in: conditions) ? "\r\u{1B}[J\n" : Self.text(of: rows)
        return "\u{1B}[?7h\(start(conditions))\(text)"
    }

    /// Returns codes that draw the rows below each other and move the cursor back to the first row.
    private static func text(of rows: [String]) -> String {
        let text = rows.map { "\r\($0)\u{1B}[K" }.joined(separator: "\n")
        return rows.count == 1 ? text : text + "\u{1B}[\(rows.count - 1)A"
    }

    /// Returns codes that move the cursor back to the row if Enter has moved it down.
    ///
    /// Enter increases the number of unread bytes, because a terminal counts only complete lines. The number of lines
    /// is unknown. Moving one row up is safe, but further up there may be other output.
    private func start(_ conditions: TerminalConditions) -> String {
        drawn.map { conditions.typedBytes > $0.conditions.typedBytes } ?? false ? "\r\u{1B}[K\u{1B}[A" : ""
    }

    // MARK: The terminal's progress bar

    private mutating func progressUpdate(_ line: TerminalLine, at now: Duration) -> String {
        guard line.progress != .none else { return progressEnd() }
        let state = line.progressState
        if let progress {
            let age = now - progress.time
            guard
                progress.state != state
                    ? age >= .milliseconds(100) || state == .percent(100)
                    : line.progress == .repeated && age >= .seconds(10)
            else { return "" }
        }
        progress = Progress(state: state, time: now)
        return state.sequence
    }

    private mutating func progressEnd() -> String {
        guard progress != nil else { return "" }
        progress = nil
        return TerminalProgress.clear
    }
}
