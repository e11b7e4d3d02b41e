/// The lines of an indicator that doesn't draw.
@MainActor
final class PlainLines {
    private let screen: TerminalScreen
    private(set) var isOn = false
    /// The latest line. A wait doesn't begin the lines again.
    private var last: (text: String, percent: Int, time: SuspendingClock.Instant)?

    nonisolated init(_ screen: TerminalScreen) { self.screen = screen }

    func begin(_ block: TerminalBlock, at now: SuspendingClock.Instant) {
        isOn = true
        if last == nil { write(block, at: now) }
    }

    /// Writes a line every ten percent and every 30 seconds. The program says itself that it is done.
    func update(_ block: TerminalBlock, at now: SuspendingClock.Instant) {
        guard let last, let percent = Optional(block.main.percent ?? 0), percent < 100 else { return }
        if now >= last.time.advanced(by: .seconds(30)) || percent / 10 > last.percent / 10 { write(block, at: now) }
    }

    /// Writes the last state, unless it has been written.
    func end(_ block: TerminalBlock, isWaiting: Bool, at now: SuspendingClock.Instant) {
        isOn = false
        if isWaiting { return }
        if block.plainText != last?.text, block.main.percent != 100 { write(block, isEnd: true, at: now) }
        last = nil
    }

    private func write(_ block: TerminalBlock, isEnd: Bool = false, at now: SuspendingClock.Instant) {
        let text = last == nil ? block.plainName : block.plainText
        last = (text, block.main.percent ?? 0, now)
        if !text.isEmpty { screen.log(text == block.plainName && !isEnd ? "\(text) ..." : text) }
    }
}
