#if canImport(SwiftUI)
public import NetworkIndicator
public import SwiftUI

extension View {
    /// Shows a thin bar at the top of this view while the network is in use.
    ///
    /// Apply the modifier to each screen, inside its `NavigationStack`. The bar is then below the navigation bar:
    ///
    /// ```swift
    /// struct FeedView: View {
    ///     var body: some View {
    ///         NavigationStack {
    ///             ContentView().networkActivityBar()
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// The bar is 2 points high and has the tint color. It ignores touches and clicks, and doesn't change the layout.
    /// While the fraction is unknown, a segment moves through the bar. If Reduce Motion is on, the segment stays in the
    /// middle. VoiceOver reads the bar as the system's progress indicator. For UI tests, a visible bar has the
    /// accessibility identifier `NetworkActivity`.
    ///
    /// - Parameters:
    ///   - manager: The manager to observe. The default is the manager of the environment,
    ///     `EnvironmentValues.networkIndicatorManager`.
    ///   - fraction: Returns the transferred fraction, clamped to 0 through 1, such as that of a `TransferMeter`. If
    ///     the fraction is `nil` or NaN, it is unknown. By default, the fraction is always unknown.
    /// - Returns: A view that shows the bar over this view.
    public func networkActivityBar(
        _ manager: NetworkIndicatorManager? = nil, fraction: (@MainActor () -> Double?)? = nil
    ) -> some View {
        overlay(alignment: .top) { NetworkActivityBar(given: manager, fraction: fraction) }
    }
}

private struct NetworkActivityBar: View {
    let given: NetworkIndicatorManager?
    let fraction: (@MainActor () -> Double?)?
    @Environment(\.networkIndicatorManager) private var environment
    @Environment(\.accessibilityReduceMotion) private var reduceMotion

    var body: some View {
        let isVisible = (given ?? environment).isIndicatorVisible
        let fraction = clamped(fraction?())
        ZStack {
            if isVisible {
                TimelineView(.animation(paused: fraction != nil || reduceMotion)) { context in
                    let time = context.date.timeIntervalSinceReferenceDate
                    Segment(range: barSegment(fraction: fraction, at: time, isStill: reduceMotion))
                        .fill(.tint)
                        .flipsForRightToLeftLayoutDirection(true)
                }
                .accessibilityRepresentation {
                    ProgressView(value: fraction).accessibilityIdentifier(networkActivityIdentifier)
                }
            }
        }
        .frame(height: 2)
        .animation(.default, value: isVisible)
        .allowsHitTesting(false)
    }
}

private struct Segment: Shape {
    let range: ClosedRange<Double>

    func path(in rect: CGRect) -> Path {
        let width = (range.upperBound - range.lowerBound) * rect.width
        return Path(CGRect(x: range.lowerBound * rect.width, y: 0, width: width, height: rect.height))
    }
}
#endif
