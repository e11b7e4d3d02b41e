#if canImport(SwiftUI)
import Foundation
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
/// VoiceOver reads it while it is visible, and skips it otherwise. Under Reduce Motion, it appears and disappears without
/// fading. The spinner itself moves: a still one would look like an app that hangs.
///
/// In UI tests, its accessibility identifier is `NetworkActivity`. The element exists only while it is visible.
public struct NetworkActivityView: View {
    private let given: NetworkIndicatorManager?
    private let label: Text?
    private let fraction: Double?
    @Environment(\.networkIndicatorManager) private var environment
    @Environment(\.accessibilityReduceMotion) private var reduceMotion
    /// The size of the spinner, as soon as it has been visible.
    @State private var spinnerSize = CGSize.zero

    /// Creates a view that observes a manager.
    ///
    /// - Parameters:
    ///   - manager: The manager that decides when the view is visible. If it is `nil` (the default), the view observes
    ///     `EnvironmentValues.networkIndicatorManager`.
    ///   - label: The text that VoiceOver reads. If it is `nil` (the default), VoiceOver reads the system's text for
    ///     progress, in the user's language.
    ///   - fraction: How much has been transferred, clamped to 0 through 1. If it is `nil` (the default) or NaN, the
    ///     fraction is unknown, and the view is a spinner.
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

    /// Reserves the space of the control. A hidden spinner would still animate, so a symbol of about its size replaces it.
    @ViewBuilder
    private var space: some View {
        if let fraction {
            ProgressView(value: fraction)
        } else {
            // Apple TV's spinner is larger than the symbol.
            Image(systemName: "circle").frame(minWidth: spinnerSize.width, minHeight: spinnerSize.height)
        }
    }

    @ViewBuilder
    private var control: some View {
        // A container with the identifier isn't reliable: UI tests don't find one without children.
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
        // Not every SDK has control sizes for tvOS.
        #if os(tvOS)
        ProgressView()
        #else
        ProgressView().controlSize(.small)
        #endif
    }
}
#endif
