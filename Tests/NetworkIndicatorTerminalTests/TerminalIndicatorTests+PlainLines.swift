import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicatorTerminal

extension TerminalIndicatorTests {
    private func plainIndicator(idleRow: (@MainActor @Sendable () -> TerminalIndicator.Row?)? = nil)
        -> TerminalIndicator
    {
        indicator(style: .init(animation: .never, writesPlainLines: true), idleRow: idleRow)
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
        #expect(takeLines() == ["Fetching 3 of 3"] && scheduler.timerCount == 0)
    }

    /// A program that completes its work says so itself, so 100 % isn't reported. A wait isn't the end.
    @Test func aLineIsWrittenEveryTenPercent() {
        let isWaiting = Lock(false)
        let indicator = plainIndicator(idleRow: { isWaiting.withLock { $0 } ? "waiting" : nil })
        func set(_ percent: Int) {
            row.withLock {
                $0 = .init("\(percent / 50)/2 files", fraction: Double(percent) / 100, amount: "1 MB", rate: "")
            }
        }
        set(0)
        indicator.setVisible(true)
        for percent in [9, 10, 19, 45, 49, 70, 100] {
            set(percent)
            if percent == 49 {
                isWaiting.withLock { $0 = true }
                indicator.setVisible(false)
                scheduler.advance(by: .seconds(20))
                isWaiting.withLock { $0 = false }
                indicator.setVisible(true)
            }
            scheduler.advance(by: .seconds(1))
        }
        indicator.setVisible(false)
        let lines = [(10, 0), (45, 0), (70, 1)].map { "\($0.1)/2 files: \($0.0) %, 1 MB" }
        #expect(takeLines() == ["0/2 files ..."] + lines && scheduler.timerCount == 0)
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
        row.withLock { $0 = "Other" }
        plain.setVisible(false)
        plain.suspend {}
        #expect(takeLines() == [])
    }
}
