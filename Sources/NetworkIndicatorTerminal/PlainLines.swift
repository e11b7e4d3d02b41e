/// The lines of an indicator that doesn't draw.
@MainActor
final class PlainLines {
    private let screen: TerminalScreen
    /// The latest line, if the indicator is on.
    private var last: (percent: Int, time: SuspendingClock.Instant)?

    nonisolated init(_ screen: TerminalScreen) { self.screen = screen }

    var isOn: Bool { last != nil }

    func begin(_ block: TerminalBlock, at now: SuspendingClock.Instant) {
        write("\(block.plainName) ...", block, at: now)
    }

    /// Writes a line every ten percent and every 30 seconds.
    func update(_ block: TerminalBlock, at now: SuspendingClock.Instant) {
        guard let last else { return }
        let isDue = now >= last.time.advanced(by: .seconds(30))
        if isDue || (block.main.percent ?? 0) / 10 > last.percent / 10 { write(block.plainText, block, at: now) }
    }

    func end(_ block: TerminalBlock, idleText: String?) {
        last = nil
        screen.log(idleText.map(block.plain) ?? "\(block.plainName) ... done")
    }

    private func write(_ text: String, _ block: TerminalBlock, at now: SuspendingClock.Instant) {
        last = (block.main.percent ?? 0, now)
        screen.log(text)
    }
}
