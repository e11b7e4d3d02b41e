#if canImport(SwiftUI)
public import NetworkIndicator
public import SwiftUI

/// A small spinner that appears while the network is in use. While it is hidden, its space stays reserved.
///
/// Use it in status lines, whose other items must not move when it appears. In a toolbar, use
/// ``NetworkActivityToolbarItem``.
///
/// ```swift
/// struct StatusLine: View {
///     var body: some View {
///         HStack {
///             Text("Articles")
///             NetworkActivityView()
///         }
///     }
/// }
/// ```
///
/// With a fraction, it is a bar instead, as wide as its container. If that is too wide, set a frame.
///
/// VoiceOver reads its label while it is visible and skips it otherwise. Under Reduce Motion, it appears and disappears
/// without fading. The spinner itself moves: a still one would look like an app that hangs.
///
/// In UI tests, its accessibility identifier is `NetworkActivity`, and its value is `busy` or `idle`.
public struct NetworkActivityView: View {
    private let given: NetworkIndicatorManager?
    private let label: Text
    private let fraction: Double?
    @Environment(\.networkIndicatorManager) private var environment
    @Environment(\.accessibilityReduceMotion) private var reduceMotion

    /// Creates a view that observes a manager.
    ///
    /// - Parameters:
    ///   - manager: The manager that decides when the view is visible. If it is `nil` (the default), the view observes
    ///     `EnvironmentValues.networkIndicatorManager`.
    ///   - label: The text that VoiceOver reads. The default, “Loading”, is localized by the app's own strings.
    ///   - fraction: How much has been transferred, clamped to 0 through 1. If it is `nil` (the default) or NaN, the
    ///     fraction is unknown, and the view is a spinner.
    public init(
        _ manager: NetworkIndicatorManager? = nil, label: Text = Text("Loading"), fraction: Double? = nil
    ) {
        given = manager
        self.label = label
        self.fraction = clamped(fraction)
    }

    public var body: some View {
        let isVisible = (given ?? environment).isIndicatorVisible
        Group {
            if let fraction {
                ProgressView(value: fraction).opacity(isVisible ? 1 : 0)
            } else {
                // The symbol reserves the space. A hidden spinner would still animate.
                Image(systemName: "circle")
                    .opacity(0)
                    .accessibilityHidden(true)
                    .overlay {
                        if isVisible { spinner }
                    }
            }
        }
        .animation(reduceMotion ? nil : .default, value: isVisible)
        .accessibilityLabel(label)
        .accessibilityHidden(!isVisible)
        // UI tests can find this container even while VoiceOver skips its contents.
        .accessibilityElement(children: .contain)
        .accessibilityIdentifier("NetworkActivity")
        .accessibilityValue(Text(verbatim: isVisible ? "busy" : "idle"))
    }

    private var spinner: some View {
        // Not every SDK has control sizes for tvOS.
        #if os(tvOS)
        ProgressView()
        #else
        ProgressView().controlSize(.small)
        #endif
    }
}
#endif
