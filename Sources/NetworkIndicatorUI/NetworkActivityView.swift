#if canImport(SwiftUI)
public import NetworkIndicator
public import SwiftUI

/// A small spinner that appears while the network is in use. While it is hidden, its space stays reserved.
///
/// Use it in toolbars and status lines, whose other items must not move when it appears:
///
/// ```swift
/// struct RootView: View {
///     var body: some View {
///         ContentView().toolbar { ToolbarItem { NetworkActivityView() } }
///     }
/// }
/// ```
///
/// With a fraction, it is a bar instead, as wide as its container. If that is too wide, set a frame.
///
/// VoiceOver reads its label while it is visible and skips it otherwise. Under Reduce Motion, a still symbol replaces the
/// spinner, and nothing fades.
public struct NetworkActivityView: View {
    private let manager: NetworkIndicatorManager
    private let label: Text
    private let fraction: Double?
    @Environment(\.accessibilityReduceMotion) private var reduceMotion

    /// Makes a view that observes a manager.
    ///
    /// - Parameters:
    ///   - manager: The manager that decides when the view is visible.
    ///   - label: The text that VoiceOver reads. The default, “Loading”, is localized by the app's own strings.
    ///   - fraction: How much has been transferred, clamped to 0 through 1. If it is `nil` (the default) or NaN, the
    ///     fraction is unknown, and the view is a spinner.
    public init(
        _ manager: NetworkIndicatorManager = .shared, label: Text = Text("Loading"), fraction: Double? = nil
    ) {
        self.manager = manager
        self.label = label
        self.fraction = clamped(fraction)
    }

    public var body: some View {
        let isVisible = manager.isIndicatorVisible
        Group {
            if let fraction {
                ProgressView(value: fraction).opacity(isVisible ? 1 : 0)
            } else {
                // The symbol reserves the space. A hidden spinner would still animate.
                Image(systemName: "arrow.up.arrow.down")
                    .opacity(isVisible && reduceMotion ? 1 : 0)
                    .overlay {
                        if isVisible && !reduceMotion { spinner }
                    }
            }
        }
        .animation(reduceMotion ? nil : .default, value: isVisible)
        .accessibilityLabel(label)
        .accessibilityHidden(!isVisible)
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
