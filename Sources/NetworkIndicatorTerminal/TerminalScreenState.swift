import NetworkIndicator

/// Times are durations since the creation of the screen. `SuspendingClock.Instant` isn't frozen, so its size is unknown
/// at compile time, which would slow down each access to the state.
struct TerminalScreenState {
    private let device: any TerminalDevice
    /// The last owner draws.
    private var owners: [ObjectIdentifier] = []
    private var shown: ObjectIdentifier?
    private var block: TerminalBlock?
    /// The time at which `draw` was last called.
    private var time = Duration.zero
    private var picture = -1
    private var remainingPictures = 0
    private var drawn: Drawn?
    /// The unwritten end of a frame or text. It is written before anything else, because the cursor may be inside a
    /// block of rows, and wrapping may be off.
    private var rest: [UInt8] = []
    /// The number of bytes in `rest` after a text that is being written, or `nil` if there is no such text.
    private var restAfterText: Int?
    /// The number of rows of the last frame, including rows that it erased.
    private var frameRows = 0
    private var slowUntil = Self.past
    private var firstLongFrame: Duration?
    private var progress: (percent: Int?, time: Duration)?
    var suspensions = 0
    private var earliestFrame = Self.past
    private var earliestRows = Self.past
    /// Whether the terminal no longer exists, or the program is exiting.
    private var isGone = false

    /// While the window is resized, the terminal may wrap and move rows, and a moved row can't be erased. For this time
    /// after a change of the width, only the main row is drawn.
    private static let restAfterResize = Duration.seconds(1)

    private static let past = Duration.seconds(Int64.min)
    private static let slownessTimeLimit = Duration.seconds(10)
    /// The number of rows of the longest frame that even a slow terminal reads in time.
    private static let rowsOfShortFrame = 4

    init(device: any TerminalDevice) { self.device = device }

    mutating func show(_ owner: ObjectIdentifier, isStill: Bool) {
        owners.removeAll { $0 == owner }
        owners.insert(owner, at: isStill ? 0 : owners.count)
    }

    mutating func draw(
        _ block: TerminalBlock, by owner: ObjectIdentifier, at now: Duration, pictures: Int
    ) -> Bool {
        guard owners.last == owner else { return !isGone }
        (self.block, time, shown, remainingPictures) = (block, now, owner, pictures)
        picture += 1
        redraw()
        return !isGone
    }

    mutating func advance(by owner: ObjectIdentifier) -> Bool {
        guard owners.last == owner else { return owners.contains(owner) }
        guard shown == owner, remainingPictures > 0 else { return false }
        guard suspensions == 0 else { return true }
        var isUnchanged = true
        _ = transmit { state, conditions in
            isUnchanged = state.drawn?.conditions == conditions
            guard isUnchanged, let block = state.block else { return "" }
            state.remainingPictures -= 1
            state.picture += 1
            return block.frame(picture: state.picture, columns: conditions.columns)
        }
        return isUnchanged && !isGone
    }

    mutating func hide(_ owner: ObjectIdentifier) -> Bool {
        owners.removeAll { $0 == owner }
        guard shown == owner else { return true }
        block = nil
        guard erase() != .busy else { return false }
        shown = nil
        device.release()
        return true
    }

    mutating func erase(until time: Duration) -> TerminalOutcome {
        earliestFrame = max(earliestFrame, time)
        return erase()
    }

    var isDrawn: Bool { drawn != nil }

    /// Begins to write `text` and the block below it. On a slow terminal, the next frame draws the block.
    ///
    /// - Returns: `false` if no row is drawn, or the process is in the background.
    mutating func beginText(_ text: String) -> Bool {
        guard !isGone, drawn != nil, let conditions = device.conditions, conditions.isForeground else { return false }
        shortenRest()
        let beginning = erasure(conditions) + text + "\n"
        let block = isSlow ? "" : drawing(conditions)
        rest += bytes(of: beginning + block)
        restAfterText = block.utf8.count
        return true
    }

    /// - Returns: `.busy` until the text is written. The block below it may remain unwritten.
    mutating func continueText() -> TerminalOutcome {
        let outcome = restAfterText == nil ? .written : send()
        return restAfterText == nil ? .written : outcome
    }

    mutating func resume(until time: Duration?) {
        suspensions -= 1
        if let time { earliestFrame = max(earliestFrame, time) }
        redraw()
    }

    /// Erases the block for good. Ctrl-C may discard the erasure before the terminal reads it, so each call of this
    /// method erases the block again.
    ///
    /// - Returns: Whether a block was drawn.
    mutating func end(at limit: SuspendingClock.Instant) -> Bool {
        isGone = false
        var (block, progress) = (drawn, progress)
        while erase() == .busy, SuspendingClock().now < limit { _ = device.wait(within: 50) }
        // After an erasure, an increase of `typedBytes` doesn't say that the cursor is below the block.
        if let conditions = device.conditions { block?.conditions = conditions }
        (drawn, self.progress) = (block, progress)
        giveUp()
        return block != nil || progress != nil
    }

    private mutating func giveUp() {
        isGone = true
        device.release()
    }

    mutating func erase(keepsProgress: Bool = false) -> TerminalOutcome {
        shortenRest()
        return transmit { $0.erasure($1) + (keepsProgress ? "" : $0.progressEnd()) }
    }

    private mutating func redraw() { _ = transmit { $0.drawing($1) } }

    // MARK: Writing

    /// Writes the rest of an earlier frame, and then, in the foreground, a new frame. The rest is also written in the
    /// background, because the shell's lines wouldn't wrap without it. If the terminal accepts no byte of the new
    /// frame, the frame is dropped, and the state is restored.
    private mutating func transmit(_ compose: (inout Self, TerminalConditions) -> String) -> TerminalOutcome {
        guard let conditions = device.conditions else {
            giveUp()
            return .failed
        }
        var outcome = send()
        guard outcome == .written else { return outcome }
        guard conditions.isForeground else {
            // The shell may have written since the last frame, so the row may no longer be at the cursor.
            drawn = nil
            return .written
        }
        // A copy of the whole state would take a tenth of the time of a spinner.
        let earlier = (rest, drawn, frameRows, progress)
        rest = bytes(of: compose(&self, conditions))
        let count = rest.count
        outcome = send()
        if outcome == .busy, rest.count == count { (rest, drawn, frameRows, progress) = earlier }
        return outcome
    }

    /// A terminal that supports synchronized updates (mode 2026) shows all rows at once.
    private func bytes(of frame: String) -> [UInt8] {
        let isUpdate = !isSlow && frame.utf8.contains(0x0A)
        return Array((isUpdate ? "\u{1B}[?2026h\(frame)\u{1B}[?2026l" : frame).utf8)
    }

    private mutating func send() -> TerminalOutcome {
        guard !isGone, let count = rest.isEmpty ? 0 : device.draw(rest) else {
            giveUp()
            return .failed
        }
        rest = count < rest.count ? Array(rest.dropFirst(count)) : []
        if let end = restAfterText, rest.count <= end { restAfterText = nil }
        if count > 0, !rest.isEmpty { slowUntil = time + Self.slownessTimeLimit }
        return rest.isEmpty ? .written : .busy
    }

    /// Drops the rows of an unfinished frame that the terminal hasn't begun to receive, because a slow terminal needs
    /// seconds for a long frame.
    private mutating func shortenRest() {
        guard drawn != nil, restAfterText == nil, let next = rest.firstIndex(of: 0x0A),
            let end = rest.firstRange(of: Array("\u{1B}[\(frameRows - 1)A".utf8))
        else { return }
        let rowsAbove = frameRows - 1 - rest.count { $0 == 0x0A }
        let up = rowsAbove > 0 ? "\u{1B}[\(rowsAbove)A" : ""
        rest.replaceSubrange(next..<end.upperBound, with: up.utf8)
        drawn?.rows = frameRows
    }

    /// Whether the terminal accepted only a part of some frame in the last ten seconds. Ctrl-C may discard the unread
    /// end of a frame, so a frame for a slow terminal must not change a mode temporarily.
    private var isSlow: Bool { time < slowUntil }

    /// With long frames, a terminal that reads 3 kB/s lags several seconds behind before it first accepts only a part
    /// of a frame. In this time, frames leave wrapping on. They still begin a synchronized update, because the terminal
    /// ends it after a timeout.
    private var isMaybeSlow: Bool { isSlow || firstLongFrame.map { time < $0 + Self.slownessTimeLimit } ?? false }

    // MARK: The row

    private mutating func drawing(_ conditions: TerminalConditions) -> String {
        guard let block, suspensions == 0, time >= earliestFrame else { return "" }
        return frame(block, conditions) + progressUpdate(block)
    }

    /// Draws over the previous frame, because clearing it first would cause flicker.
    ///
    /// Unless the terminal may be slow, wrapping is off during the frame. If wrapping were on, a row might wrap,
    /// because terminals disagree about the width of characters, and the window may just have become narrower. The end
    /// of the frame turns wrapping on again, so wrapping is on if the program is killed between two frames.
    private mutating func frame(_ block: TerminalBlock, _ conditions: TerminalConditions) -> String {
        if let drawn, drawn.conditions.columns != conditions.columns {
            earliestRows = time + Self.restAfterResize
        }
        let height = time < earliestRows ? 0 : conditions.rows
        let drawing = block.drawing(columns: conditions.columns, height: height, picture: picture)
        var rows = drawing.lines
        if rows.count > Self.rowsOfShortFrame { firstLongFrame = firstLongFrame ?? time }
        let start = start(conditions) + (drawn?.erasureOfWrappedRows(in: conditions) ?? "")
        let surplus = max(0, (drawn?.visibleRows(in: conditions) ?? 1) - rows.count)
        drawn = Drawn(
            conditions: conditions, rows: rows.count, cells: drawing.cells,
            isWrapped: drawn?.isWrapped(in: conditions) ?? false)
        rows += [String](repeating: "", count: surplus)
        frameRows = rows.count
        let frame = "\(start)\(Self.text(of: rows))\r"
        return isMaybeSlow ? frame : "\u{1B}[?7l\(frame)\u{1B}[?7h"
    }

    /// Erases each row separately, unless a row may be wrapped. After `ESC [J`, VTE 0.70 leaves a row behind whenever
    /// the window becomes narrower. The line feed ends a wrapped row. Without it, kitty 0.26 would join the next text
    /// to that row when the window becomes wider. Ctrl-C may have discarded the end of a frame, so the erasure turns
    /// wrapping on, and on a slow terminal also ends a synchronized update.
    private mutating func erasure(_ conditions: TerminalConditions) -> String {
        guard let drawn else { return "" }
        defer { self.drawn = nil }
        let rows = [String](repeating: "", count: drawn.visibleRows(in: conditions))
        let text = drawn.isWrapped(in: conditions) ? "\r\u{1B}[J\n" : Self.text(of: rows)
        let end = isSlow ? "\u{1B}[?2026l" : ""
        return "\u{1B}[?7h\(end)\(start(conditions))\(text)"
    }

    private static func text(of rows: [String]) -> String {
        let text = rows.map { "\r\($0)\u{1B}[K" }.joined(separator: "\n")
        return rows.count == 1 ? text : text + "\u{1B}[\(rows.count - 1)A"
    }

    /// `typedBytes` counts only complete lines, so if it has grown, Enter has moved the cursor down. This method moves
    /// the cursor up only one row, because other output may be further up.
    private func start(_ conditions: TerminalConditions) -> String {
        drawn.map { conditions.typedBytes > $0.conditions.typedBytes } ?? false ? "\r\u{1B}[K\u{1B}[A" : ""
    }

    // MARK: The terminal's progress bar

    private mutating func progressUpdate(_ block: TerminalBlock) -> String {
        guard block.progress != .none else { return progressEnd() }
        let percent = block.main.percent
        if let progress, progress.percent == percent {
            guard block.progress == .repeated, time - progress.time >= .seconds(10) else { return "" }
        }
        progress = (percent, time)
        return TerminalProgress.sequence(percent: percent)
    }

    private mutating func progressEnd() -> String { progress.take() == nil ? "" : TerminalProgress.clear }
}
