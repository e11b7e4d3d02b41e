import NetworkIndicator

/// Times are durations since the creation of the screen. `SuspendingClock.Instant` isn't frozen, so its size is unknown
/// at compile time, which would slow down each access to the state.
///
/// The legal states:
/// - Empty: `shown`, `drawn` and `progress` are `nil`.
/// - Shown: `shown` has a block. `drawn` is `nil` before the first frame, after an erasure, and if other output may
///   have moved the cursor.
/// - Leaving: `shown` has no block, because its owner is gone, but the terminal hasn't accepted the erasure yet.
/// - Gone: the terminal no longer exists, or the program is exiting. Nothing is written any more.
///
/// In each of them, `rest` may be the end of a frame or a text. It is written before anything else, because the cursor
/// may be inside a block of rows, and wrapping may be off. `restAfterText` is `nil` unless a text is being written.
struct TerminalScreenState {
    private let device: any TerminalDevice
    /// The indicators that show an idle row, and then those that are on. The last one draws.
    private var owners: [(id: ObjectIdentifier, isStill: Bool)] = []
    private var shown: Shown?
    private var picture = -1
    /// The time at which `draw` was last called.
    private var time = Duration.zero
    private var drawn: Drawn?
    private var rest: [UInt8] = []
    /// The text is written once at most this number of bytes is left in `rest`.
    private var restAfterText: Int?
    private var progress: (percent: Int?, time: Duration)?
    var suspensions = 0
    private var earliestFrame = Duration.seconds(Int64.min)
    private var isGone = false

    init(device: any TerminalDevice) { self.device = device }

    mutating func show(_ owner: ObjectIdentifier, isStill: Bool) {
        owners.removeAll { $0.id == owner }
        owners.insert((owner, isStill), at: isStill ? owners.count(where: \.isStill) : owners.count)
    }

    mutating func draw(_ block: TerminalBlock, by owner: ObjectIdentifier, at now: Duration, pictures: Int) -> Bool {
        guard owners.last?.id == owner else { return !isGone }
        (shown, time) = (Shown(owner: owner, block: block, remainingPictures: pictures), now)
        picture += 1
        redraw()
        return !isGone
    }

    mutating func advance(by owner: ObjectIdentifier) -> Bool {
        guard owners.last?.id == owner else { return owners.contains { $0.id == owner } }
        guard let shown, shown.owner == owner, shown.remainingPictures > 0 else { return false }
        guard suspensions == 0 else { return true }
        var isUnchanged = true
        _ = transmit { state, conditions in
            isUnchanged = state.drawn?.conditions == conditions
            guard isUnchanged, let block = shown.block, state.device.isIdle else { return "" }
            state.shown?.remainingPictures -= 1
            state.picture += 1
            return block.frame(picture: state.picture, columns: conditions.columns)
        }
        return isUnchanged && !isGone
    }

    mutating func hide(_ owner: ObjectIdentifier) -> Bool {
        owners.removeAll { $0.id == owner }
        guard shown?.owner == owner else { return true }
        shown?.block = nil
        guard erase() != .busy else { return false }
        shown = nil
        return true
    }

    mutating func erase(until time: Duration) -> TerminalOutcome {
        earliestFrame = max(earliestFrame, time)
        return erase()
    }

    var isDrawn: Bool { drawn != nil }

    /// Begins to write `text` and the block below it.
    ///
    /// - Returns: `false` if no row is drawn, or the process is in the background.
    mutating func beginText(_ text: String) -> Bool {
        guard !isGone, drawn != nil, let conditions = device.conditions, conditions.isForeground else { return false }
        let beginning = erasure(conditions) + text + "\n"
        let block = drawing(conditions)
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

    /// Erases the block for good.
    mutating func end(within milliseconds: Int32, _ limit: SuspendingClock.Instant) {
        isGone = false
        var outcome = erase()
        while outcome == .busy, SuspendingClock().now < limit, device.wait(within: milliseconds) != .busy {
            outcome = erase()
        }
        if outcome == .busy, !rest.isEmpty {
            // The cursor may be inside the block, and wrapping may be off.
            device.discard()
            _ = erase()
        }
        isGone = true
    }

    mutating func erase(keepsProgress: Bool = false) -> TerminalOutcome {
        transmit { $0.erasure($1) + (keepsProgress ? "" : $0.progressEnd()) }
    }

    private mutating func redraw() { _ = transmit { $0.drawing($1) } }

    // MARK: Writing

    /// Writes the rest of an earlier frame, and then, in the foreground, a new frame. The rest is also written in the
    /// background, because the shell's lines wouldn't wrap without it. If the terminal accepts no byte of the new
    /// frame, the frame is dropped, and the state is restored.
    private mutating func transmit(_ compose: (inout Self, TerminalConditions) -> String) -> TerminalOutcome {
        guard let conditions = device.conditions else {
            isGone = true
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
        let earlier = (rest, drawn, progress)
        rest = bytes(of: compose(&self, conditions))
        let count = rest.count
        outcome = send()
        if outcome == .busy, rest.count == count { (rest, drawn, progress) = earlier }
        return outcome
    }

    /// A terminal that supports synchronized updates (mode 2026) shows all rows at once.
    private func bytes(of frame: String) -> [UInt8] {
        Array((frame.utf8.contains(0x0A) ? "\u{1B}[?2026h\(frame)\u{1B}[?2026l" : frame).utf8)
    }

    private mutating func send() -> TerminalOutcome {
        guard !isGone, let count = rest.isEmpty ? 0 : device.draw(rest) else {
            isGone = true
            return .failed
        }
        rest = count < rest.count ? Array(rest.dropFirst(count)) : []
        if let end = restAfterText, rest.count <= end { restAfterText = nil }
        return rest.isEmpty ? .written : .busy
    }

    // MARK: The row

    private mutating func drawing(_ conditions: TerminalConditions) -> String {
        guard let block = shown?.block, suspensions == 0, time >= earliestFrame, device.isIdle else { return "" }
        return frame(block, conditions) + progressUpdate(block)
    }

    /// Draws over the previous frame, because clearing it first would cause flicker.
    ///
    /// Wrapping is off during the frame. If wrapping were on, a row might wrap, because terminals disagree about the
    /// width of characters, and the window may just have become narrower. The end of the frame turns wrapping on again,
    /// so wrapping is on if the program is killed between two frames.
    private mutating func frame(_ block: TerminalBlock, _ conditions: TerminalConditions) -> String {
        let drawing = block.drawing(columns: conditions.columns, height: conditions.rows, picture: picture)
        var rows = drawing.lines
        let start = drawn?.start(in: conditions) ?? ""
        let surplus = max(0, (drawn?.visibleRows(in: conditions) ?? 1) - rows.count)
        drawn = Drawn(conditions: conditions, rows: rows.count, cells: drawing.cells)
        rows += [String](repeating: "", count: surplus)
        return "\u{1B}[?7l\(start)\(Self.text(of: rows))\r\u{1B}[?7h"
    }

    /// Erases each row separately. After `ESC [J`, VTE 0.70 leaves a row behind whenever the window becomes narrower.
    /// Ctrl-C may have discarded the end of a frame, so the erasure turns wrapping on.
    private mutating func erasure(_ conditions: TerminalConditions) -> String {
        guard let drawn else { return "" }
        defer { self.drawn = nil }
        let rows = [String](repeating: "", count: drawn.visibleRows(in: conditions))
        return "\u{1B}[?7h\(drawn.start(in: conditions))\(Self.text(of: rows))"
    }

    private static func text(of rows: [String]) -> String {
        let text = rows.map { "\r\($0)\u{1B}[K" }.joined(separator: "\n")
        return rows.count == 1 ? text : text + "\u{1B}[\(rows.count - 1)A"
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
