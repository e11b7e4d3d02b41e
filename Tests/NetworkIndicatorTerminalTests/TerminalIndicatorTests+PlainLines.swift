import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicatorTerminal

extension TerminalIndicatorTests {
    private func plainIndicator(idleText: (@MainActor @Sendable () -> String?)? = nil) -> TerminalIndicator {
        indicator(style: .init(animation: .never, writesPlainLines: true), idleText: idleText)
    }

    private func takeLines() -> [String] {
        screen.waitForLog()
        return device.takeWritten().map { String($0.dropLast()) }
    }

    @Test func aLineIsWrittenEvery30Seconds() {
        row.withLock { $0 = "\u{1B}[1mFetching\r0 of 3\n" }
        let indicator = plainIndicator()
        indicator.setVisible(true)
        indicator.suspend {}
        #expect(takeLines() == ["Fetching 0 of 3 ..."])
        scheduler.advance(by: .seconds(29))
        #expect(takeLines() == [])
        row.withLock { $0 = "Fetching 1 of 3" }
        scheduler.advance(by: .seconds(1))
        #expect(takeLines() == ["Fetching 1 of 3"])
        row.withLock { $0 = "Fetching 3 of 3" }
        indicator.setVisible(false)
        indicator.suspend {}
        #expect(takeLines() == ["Fetching 3 of 3 ... done"] && scheduler.timerCount == 0)
    }

    /// A queue of files, whose total has numbers, as in `fetch`.
    @Test func aLineIsWrittenEveryTenPercent() {
        let indicator = plainIndicator()
        func set(_ percent: Int) {
            let details = ["1.0 of 2.0 MB", "", "3 s left"]
            row.withLock { $0 = .init("\(percent / 50)/2 files", fraction: Double(percent) / 100, details: details) }
        }
        set(0)
        indicator.setVisible(true)
        for percent in [9, 10, 19, 45, 49, 100] {
            set(percent)
            scheduler.advance(by: .seconds(1))
        }
        indicator.setVisible(false)
        let lines = [(10, 0), (45, 0), (100, 2)].map { "\($0.1)/2 files: \($0.0) %, 1.0 of 2.0 MB, 3 s left" }
        #expect(takeLines() == ["0/2 files ..."] + lines + ["2/2 files ... done"] && scheduler.timerCount == 0)
    }

    @Test func aWaitIsNotTheEnd() {
        let idleText = Lock<String?>("⏸ waiting, next attempt in 5 s")
        let indicator = plainIndicator(idleText: { idleText.withLock { $0 } })
        indicator.setVisible(true)
        indicator.setVisible(false)
        idleText.withLock { $0 = nil }
        indicator.setVisible(true)
        indicator.setVisible(false)
        #expect(takeLines() == ["Label ...", "⏸ waiting, next attempt in 5 s", "Label ...", "Label ... done"])
    }

    @Test func plainLinesAreWrittenAboveAnotherIndicator() {
        let spinner = indicator()
        spinner.setVisible(true)
        let plain = plainIndicator()
        plain.setVisible(true)
        screen.waitForLog()
        #expect(device.rows == ["Label ...", " * Label"])
        _ = device.takeWritten()
        device.change { $0.conditions.isForeground = false }
        plain.setVisible(false)
        plain.suspend {}
        #expect(takeLines() == [])
    }
}
