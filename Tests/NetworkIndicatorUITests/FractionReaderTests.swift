import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicatorUI

@MainActor
@Suite struct FractionReaderTests {
    private let scheduler = ManualScheduler()

    @MainActor
    private final class Source {
        var fraction: Double? = 0.25
        var shown: [Double?] = []
        var onRead: () -> Void = {}

        func read() -> Double? {
            onRead()
            return fraction
        }
    }

    private func makeReader(of source: Source) -> FractionReader {
        FractionReader({ source.read() }, scheduler: scheduler)
    }

    @Test func readsTenTimesASecondUntilItStops() {
        let source = Source()
        let reader = makeReader(of: source)
        reader.start { source.shown.append($0) }
        #expect(source.shown == [0.25])
        source.fraction = 0.5
        scheduler.advance(by: .milliseconds(99))
        #expect(source.shown == [0.25])
        scheduler.advance(by: .milliseconds(101))
        #expect(source.shown == [0.25, 0.5, 0.5])
        reader.stop()
        #expect(scheduler.timerCount == 0)
    }

    @Test(arguments: [(-1, 0), (7, 1), (.nan, nil), (nil, nil)] as [(Double?, Double?)])
    func clampsTheFraction(_ fraction: Double?, _ shown: Double?) {
        let source = Source()
        source.fraction = fraction
        makeReader(of: source).start { source.shown.append($0) }
        #expect(source.shown == [shown])
    }

    @Test func needsNoTimerWithoutASource() {
        let reader = FractionReader(nil, scheduler: scheduler)
        var shown: [Double?] = []
        reader.start { shown.append($0) }
        #expect(shown == [nil])
        #expect(scheduler.timerCount == 0)
    }

    @Test func theSourceMayTurnTheIndicatorOff() {
        let source = Source()
        let reader = makeReader(of: source)
        source.onRead = { reader.stop() }
        reader.start { source.shown.append($0) }
        #expect(scheduler.timerCount == 0)
    }

    @Test func endsWithItsIndicator() {
        let source = Source()
        var reader: FractionReader? = makeReader(of: source)
        reader?.start { source.shown.append($0) }
        reader = nil
        scheduler.advance(by: .seconds(1))
        #expect(source.shown == [0.25])
        #expect(scheduler.timerCount == 0)
    }
}
