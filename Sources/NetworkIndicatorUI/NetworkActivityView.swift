#if canImport(SwiftUI)
import Foundation
public import NetworkIndicator
public import SwiftUI

/// A view that shows a small spinner, or a bar, while the network is in use. While the network isn't in use, the view
/// keeps its space.
///
/// In a toolbar, use ``NetworkActivityToolbarItem`` instead.
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
/// If you pass a fraction, the view shows a bar that is as wide as its container. If Reduce Motion is on, the view
/// appears and disappears without fading.
///
/// VoiceOver skips a hidden spinner or bar. In UI tests, a visible spinner or bar has the accessibility identifier
/// `NetworkActivity`.
public struct NetworkActivityView: View {
    private let given: NetworkIndicatorManager?
    private let label: Text?
    private let fraction: Double?
    @Environment(\.networkIndicatorManager) private var environment
    @Environment(\.accessibilityReduceMotion) private var reduceMotion
    @State private var spinnerSize = CGSize.zero

    /// Creates a view that observes a manager.
    ///
    /// - Parameters:
    ///   - manager: The manager to observe. The default is the manager of the environment,
    ///     `EnvironmentValues.networkIndicatorManager`.
    ///   - label: The text that VoiceOver reads. The default is the system's localized text for progress.
    ///   - fraction: The transferred fraction, clamped to 0 through 1. If the fraction is `nil` (the default) or NaN, a
    ///     spinner is shown instead of a bar.
    public init(_ manager: NetworkIndicatorManager? = nil, label: Text? = nil, fraction: Double? = nil) {
        given = manager
        self.label = label
        self.fraction = clamped(fraction)
    }

    public var body: some View {
        let isVisible = (given ?? environment).isIndicatorVisible
        space
            .opacity(0)
            .accessibilityHidden(true)
            .overlay {
                if isVisible { control }
            }
            .animation(reduceMotion ? nil : .default, value: isVisible)
    }

    // A hidden spinner would still be animated, so a symbol of about the same size reserves its space.
    @ViewBuilder
    private var space: some View {
        if let fraction {
            ProgressView(value: fraction)
        } else {
            // On Apple TV, the spinner is larger than the symbol, so the frame grows to the spinner's size.
            Image(systemName: "circle").frame(minWidth: spinnerSize.width, minHeight: spinnerSize.height)
        }
    }

    @ViewBuilder
    private var control: some View {
        // UI tests don't find a container without children, so the control has the identifier, not the whole view.
        let identified = unlabelled.accessibilityIdentifier(networkActivityIdentifier)
        if let label { identified.accessibilityLabel(label) } else { identified }
    }

    @ViewBuilder
    private var unlabelled: some View {
        if let fraction {
            ProgressView(value: fraction)
        } else {
            spinner.onGeometryChange(for: CGSize.self) {
                $0.size
            } action: {
                spinnerSize = $0
            }
        }
    }

    private var spinner: some View {
        // Some SDKs for tvOS don't declare `controlSize(_:)`.
        #if os(tvOS)
        ProgressView()
        #else
        ProgressView().controlSize(.small)
        #endif
    }
}
#endif
