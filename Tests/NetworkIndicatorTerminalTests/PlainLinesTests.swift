import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorTestKit
import Testing

@MainActor @Suite
struct PlainLinesTests {
    private let device = RecordingDevice()
    private let screen: TerminalScreen
    private let scheduler = ManualScheduler()

    init() { screen = TerminalScreen(device: device) }

    private func indicator(
        animation: TerminalIndicator.Mode = .never,
        _ content: @escaping @MainActor @Sendable () -> TerminalIndicator.Row
    ) -> TerminalIndicator {
        TerminalIndicator(
            style: .init(frames: ["*"], animation: animation, color: .never, writesPlainLines: true), content,
            environment: TerminalEnvironment(["TERM": "xterm", "LANG": "en_US.UTF-8"]), screen: screen,
            scheduler: scheduler)
    }

    private func takeWritten() -> [String] {
        screen.waitForLog()
        return device.takeWritten()
    }

    @Test func plainLinesAreWrittenIfNothingIsDrawn() {
        device.change { $0.isTerminal = false }
        let number = Lock(0)
        let indicator = indicator { .init(number.withLock { "\u{1B}[1mFetching\r\($0) of 3\n" }) }
        indicator.setVisible(true)
        indicator.suspend {}
        #expect(takeWritten() == ["Fetching 0 of 3 ...\n"])
        scheduler.advance(by: .seconds(29))
        #expect(takeWritten() == [])
        number.withLock { $0 = 1 }
        scheduler.advance(by: .seconds(1))
        #expect(takeWritten() == ["Fetching 1 of 3\n"])
        number.withLock { $0 = 3 }
        indicator.setVisible(false)
        indicator.suspend {}
        #expect(takeWritten() == ["Fetching 3 of 3 ... done\n"])
        #expect(scheduler.timerCount == 0)
    }

    @Test func aPlainLineIsWrittenEveryTenPercent() {
        device.change { $0.isTerminal = false }
        let percent = Lock(0)
        let indicator = indicator {
            .init("film.mp4", fraction: Double(percent.withLock { $0 }) / 100, details: ["1 of 2 MB", "", "3 s left"])
        }
        indicator.setVisible(true)
        for next in [9, 10, 19, 45, 49, 100] {
            percent.withLock { $0 = next }
            scheduler.advance(by: .seconds(1))
        }
        indicator.redraw()
        indicator.setVisible(false)
        let lines = [10, 45, 100].map { "film.mp4: \($0) %, 1 of 2 MB, 3 s left\n" }
        #expect(takeWritten() == ["film.mp4 ...\n"] + lines + ["film.mp4 ... done\n"])
        #expect(scheduler.timerCount == 0)
    }

    @Test func plainLinesAreWrittenAboveAnotherIndicator() {
        let spinner = indicator(animation: .automatic) { "Label" }
        spinner.setVisible(true)
        let plain = indicator { "Plain" }
        plain.setVisible(true)
        screen.waitForLog()
        plain.suspend {}
        let row = frame(of: " * Label")
        #expect(takeWritten() == [row, update("Plain ...", row), erasure, row])
        device.change { $0.conditions.isForeground = false }
        plain.setVisible(false)
        plain.suspend {}
        #expect(takeWritten() == [])
    }
}
