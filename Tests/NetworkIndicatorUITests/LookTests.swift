import Testing

@testable import NetworkIndicatorUI

@MainActor
@Suite struct LookTests {
    @Test(
        arguments: [
            // spinner, bar, fraction, spins, progress
            (true, false, nil, true, nil), (true, false, 0.5, true, nil),
            (true, true, nil, true, nil), (true, true, 0.5, false, 0.5),
            (false, true, nil, false, 0), (false, true, 0.5, false, 0.5),
            (false, false, 0.5, false, nil),
        ] as [(Bool, Bool, Double?, Bool, Double?)])
    func spinnerOrBar(hasSpinner: Bool, hasBar: Bool, fraction: Double?, isSpinning: Bool, progress: Double?) {
        let look = SpinnerLook(isVisible: true, fraction: fraction, hasSpinner: hasSpinner, hasBar: hasBar)
        #expect(look.isSpinning == isSpinning && look.progress == progress)
        let hidden = SpinnerLook(isVisible: false, fraction: fraction, hasSpinner: hasSpinner, hasBar: hasBar)
        #expect(!hidden.isSpinning && hidden.progress == nil)
    }

    @Test func anEqualValueIsNotAssigned() {
        final class View {
            var changes = 0
            var isHidden = false { didSet { changes += 1 } }
        }
        let view = View()
        for isHidden in [false, true, true, false, false] { assign(isHidden, to: \.isHidden, of: view) }
        #expect(view.changes == 2 && !view.isHidden)
    }

    @Test func theSegmentOfABarMovesThroughIt() {
        #expect(barSegment(fraction: 0.25, at: 7, isStill: false) == 0...0.25)
        #expect(barSegment(fraction: nil, at: 7, isStill: true) == 1 / 3...2 / 3)
        let segments = (0..<300).map { barSegment(fraction: nil, at: 799_000_000.5 + Double($0) / 100, isStill: false) }
        for (old, new) in zip(segments, segments.dropFirst(150)) {
            #expect(abs(old.lowerBound - new.lowerBound) < 1e-6 && abs(old.upperBound - new.upperBound) < 1e-6)
        }
        #expect(segments.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= 1 })
        #expect(segments.map(\.upperBound).max()! > 0.99 && segments.map(\.lowerBound).min()! < 0.01)
        let widths = segments.map { $0.upperBound - $0.lowerBound }
        #expect(widths.max()! < 0.34 && widths.min()! < 0.01)
    }
}
