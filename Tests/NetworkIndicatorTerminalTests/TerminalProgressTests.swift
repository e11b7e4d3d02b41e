import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicatorTerminal

@MainActor @Suite
struct TerminalProgressTests {
    private let device = RecordingDevice()
    private let scheduler = ManualScheduler()
    private let fraction = Lock<Double?>(0)

    private func indicator(_ calls: Lock<Int> = Lock(0)) -> TerminalIndicator {
        TerminalIndicator(
            style: .init(frames: ["*"]), environment: ["WT_SESSION": "0c0"], screen: TerminalScreen(device: device),
            scheduler: scheduler
        ) { [fraction] in
            calls.withLock { $0 += 1 }
            return .init("Label", fraction: fraction.withLock { $0 }, details: ["\(calls.withLock { $0 }) calls"])
        }
    }

    private func shows(_ end: String, after milliseconds: Int) -> Bool {
        scheduler.advance(by: .milliseconds(milliseconds))
        return device.rows.count == 1 && device.rows[0].hasSuffix(end)
    }

    @Test func numbersChangeTwiceASecondAndAtARedraw() {
        let indicator = indicator()
        indicator.redraw()
        #expect(device.rows == [])
        indicator.setVisible(true)
        #expect(shows("   0 %  1 calls", after: 0))
        fraction.withLock { $0 = 0.1 }
        #expect(shows("   0 %  1 calls", after: 400) && shows("  10 %  2 calls", after: 100))
        fraction.withLock { $0 = nil }
        #expect(shows("  10 %  2 calls", after: 400) && shows(" Label  3 calls", after: 100))
        fraction.withLock { $0 = 1 }
        indicator.redraw()
        #expect(shows("━ 100 %  4 calls", after: 400) && shows("━ 100 %  5 calls", after: 100))
        indicator.setVisible(false)
        indicator.redraw()
        #expect(device.rows == [])
    }

    @Test func theTerminalsOwnBarFollowsTheFraction() {
        let indicator = indicator()
        indicator.setVisible(true)
        for next: Double? in [0.5, 0, 0.4, nil, -1, 2, .nan, .infinity, -.infinity] {
            fraction.withLock { $0 = next }
            scheduler.advance(by: .milliseconds(500))
        }
        indicator.setVisible(false)
        let percentages = [0, 50, 0, 40, nil, 0, 100, nil, 100, 0]
        #expect(device.emulator.progress == percentages.map { $0.map { "1;\($0)" } ?? "3;0" } + ["0;0"])
    }

    @Test func rowsAreOneSynchronizedUpdate() {
        let rows = Lock(["first", "second"])
        let indicator = TerminalIndicator(
            style: .init(frames: ["*"]), screen: TerminalScreen(device: device), scheduler: scheduler,
            rows: { rows.withLock { $0.map { .init($0) } } }
        ) { "Label" }
        indicator.setVisible(true)
        #expect(device.rows == [" * Label", "   first", "   second"])
        rows.withLock { $0 = [] }
        scheduler.advance(by: .milliseconds(500))
        #expect(device.rows == [" * Label"])
        let frames = device.takeWritten().filter { $0.contains("\n") }
        #expect(frames.count == 2)
        for frame in frames {
            #expect(frame.hasPrefix("\u{1B}[?2026h\u{1B}[?7l") && frame.hasSuffix("\u{1B}[?7h\u{1B}[?2026l"))
        }
        indicator.setVisible(false)
    }
}
