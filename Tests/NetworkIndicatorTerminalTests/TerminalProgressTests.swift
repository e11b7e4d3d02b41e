import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorTestKit
import Testing

@MainActor @Suite
struct TerminalProgressTests {
    private let device = RecordingDevice()
    private let screen: TerminalScreen
    private let scheduler = ManualScheduler()
    private let fraction = Lock<Double?>(0)
    private let rows = Lock<[String]>([])

    init() {
        screen = TerminalScreen(device: device)
        device.change { $0.conditions.rows = 24 }
    }

    private func indicator(_ environment: [String: String] = [:]) -> TerminalIndicator {
        let base = ["TERM": "xterm", "LANG": "en_US.UTF-8", "NO_COLOR": "1"]
        return TerminalIndicator(
            style: .init(frames: ["*"], interval: .milliseconds(500)),
            { [fraction] in .init("Label", fraction: fraction.withLock { $0 }, details: ["13 MB/s"]) },
            rows: { [rows] in rows.withLock { $0.map { .init($0) } } },
            environment: TerminalEnvironment(base.merging(environment) { $1 }),
            screen: screen, scheduler: scheduler)
    }

    private let windowsTerminal = ["WT_SESSION": "0c0"]

    private func takePercentages() -> [Int] {
        device.takeWritten().compactMap { frame in
            frame.firstMatch(of: /(\d+) %/).flatMap { Int($0.1) }
        }
    }

    private func takeProgress() -> [String] {
        device.takeWritten().flatMap { text in text.matches(of: /\]9;4;(.*?)\u{1B}/).map { String($0.1) } }
    }

    private func advance(by time: Duration = .milliseconds(500), to fractions: Double?...) {
        for fraction in fractions {
            self.fraction.withLock { $0 = fraction }
            scheduler.advance(by: time)
        }
    }

    // MARK: The percentage

    @Test func numbersChangeTwiceASecond() {
        let (label, calls) = (Lock("Label"), Lock(0))
        let indicator = TerminalIndicator(
            style: .init(frames: ["*"]),
            { [fraction] in
                calls.withLock { $0 += 1 }
                let details = ["\(calls.withLock { $0 }) updates"]
                return .init(label.withLock { $0 }, fraction: fraction.withLock { $0 }, details: details)
            },
            environment: TerminalEnvironment(["TERM": "xterm", "NO_COLOR": "1"]),
            screen: screen, scheduler: scheduler)
        func row(after time: Duration) -> String? {
            scheduler.advance(by: time)
            let rows = device.takeWritten().compactMap { $0.firstMatch(of: /\r (\* [^\u{1B}]+)\u{1B}/) }
            return rows.last.map { String($0.1) }
        }
        indicator.setVisible(true)
        #expect(row(after: .zero)?.hasSuffix(" 0 %  1 updates") == true)
        fraction.withLock { $0 = 0.1 }
        #expect(row(after: .milliseconds(400)) == nil)
        #expect(row(after: .milliseconds(100))?.hasSuffix("10 %  2 updates") == true)
        fraction.withLock { $0 = nil }
        label.withLock { $0 = "Other" }
        #expect(row(after: .milliseconds(400)) == nil)
        #expect(row(after: .milliseconds(100)) == "* Other  3 updates")
        fraction.withLock { $0 = 1 }
        indicator.redraw()
        #expect(row(after: .zero)?.hasSuffix("100 %  4 updates") == true)
        #expect(row(after: .milliseconds(400)) == nil)
        #expect(row(after: .milliseconds(100))?.hasSuffix("100 %  5 updates") == true)
        indicator.setVisible(false)
    }

    @Test func theFullBarCanBeDrawnAtOnce() {
        let indicator = indicator()
        indicator.redraw()
        #expect(takePercentages() == [])
        indicator.setVisible(true)
        fraction.withLock { $0 = 1 }
        indicator.redraw()
        #expect(takePercentages() == [0, 100])
        indicator.setVisible(false)
        indicator.redraw()
        #expect(takePercentages() == [])
    }

    @Test(arguments: [(-1.0, 0), (2, 100), (.infinity, 100), (-.infinity, 0)])
    func fractionsAreClamped(fraction: Double, percentage: Int) {
        self.fraction.withLock { $0 = fraction }
        let indicator = indicator()
        indicator.setVisible(true)
        #expect(takePercentages() == [percentage])
        indicator.setVisible(false)
    }

    @Test func thePercentageFallsIfATransferStartsOver() {
        let indicator = indicator(windowsTerminal)
        indicator.setVisible(true)
        advance(to: 0.5, 0, 0.4)
        let frames = device.takeWritten()
        #expect(frames.map { $0.firstMatch(of: /(\d+) %/)?.1 } == ["0", "50", "0", "40"])
        #expect(frames.map { $0.firstMatch(of: /4;1;(\d+)/)?.1 } == ["0", "50", "0", "40"])
        indicator.setVisible(false)
    }

    @Test func anUnknownFractionHasNoPercentage() {
        let indicator = indicator(windowsTerminal)
        indicator.setVisible(true)
        advance(to: 0.5, nil, 0.2, .nan)
        #expect(takeProgress() == ["1;0", "1;50", "3;0", "1;20", "3;0"])
        indicator.setVisible(false)
        #expect(takeProgress() == ["0;0"])
    }

    // MARK: The frame

    @Test func rowsAreOneSynchronizedUpdate() {
        rows.withLock { $0 = ["first", "second"] }
        let indicator = indicator()
        indicator.setVisible(true)
        rows.withLock { $0 = [] }
        scheduler.advance(by: .milliseconds(500))
        for frame in device.takeWritten() {
            #expect(frame.hasPrefix("\u{1B}[?2026h\u{1B}[?7l") && frame.hasSuffix("\u{1B}[?7h\u{1B}[?2026l"))
        }
        #expect(device.rows.count == 1)
        indicator.setVisible(false)
    }

    @Test func rowsRestForASecondAfterAResize() {
        rows.withLock { $0 = ["first"] }
        let indicator = indicator()
        indicator.setVisible(true)
        func showsRows(after time: Duration) -> Bool {
            scheduler.advance(by: time)
            return device.takeWritten().joined().contains("first")
        }
        #expect(showsRows(after: .zero))
        device.change { $0.conditions.columns = 47 }
        #expect(!showsRows(after: .milliseconds(500)))
        device.change { $0.conditions.columns = 60 }
        #expect(!showsRows(after: .milliseconds(1000)))
        #expect(showsRows(after: .milliseconds(500)))
        indicator.setVisible(false)
    }
}
