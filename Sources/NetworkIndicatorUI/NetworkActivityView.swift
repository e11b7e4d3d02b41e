#if canImport(SwiftUI)
import Foundation
public import NetworkIndicator
public import SwiftUI

/// A small spinner that appears while the network is in use. While the spinner is hidden, its space stays reserved.
///
/// Use this view in a status line, where other items must not move when the spinner appears. In a toolbar, use
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
/// If you pass a fraction, the view is a bar that is as wide as its container. To make the bar narrower, set a frame.
///
/// VoiceOver reads the view while it is visible, and skips it otherwise. If Reduce Motion is on, the view appears and
/// disappears without fading. The spinner still moves, because the app would otherwise appear to hang.
///
/// In UI tests, the view's accessibility identifier is `NetworkActivity`. The element exists only while the view is
/// visible.
public struct NetworkActivityView: View {
    private let given: NetworkIndicatorManager?
    private let label: Text?
    private let fraction: Double?
    @Environment(\.networkIndicatorManager) private var environment
    @Environment(\.accessibilityReduceMotion) private var reduceMotion
    /// The size of the spinner; zero until the spinner is first visible.
    @State private var spinnerSize = CGSize.zero

    /// Creates a view that observes a manager.
    ///
    /// - Parameters:
    ///   - manager: The manager that decides when the view is visible. If `nil` (the default), the view observes
    ///     `EnvironmentValues.networkIndicatorManager`.
    ///   - label: The text that VoiceOver reads. If `nil` (the default), VoiceOver reads the system's localized text
    ///     for progress.
    ///   - fraction: The transferred fraction, clamped to 0 through 1. If `nil` (the default) or NaN, the fraction is
    ///     unknown, and the view is a spinner.
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

    /// Reserves the space of the control. A hidden spinner would still be animated, so a symbol of about the same size
    /// takes its place.
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
        // The control has the identifier, because UI tests don't find a container without children.
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
        // Some SDKs for tvOS don't have `controlSize(_:)`.
        #if os(tvOS)
        ProgressView()
        #else
        ProgressView().controlSize(.small)
        #endif
    }
}
#endif
