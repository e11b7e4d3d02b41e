#if canImport(SwiftUI)
import Foundation
public import NetworkIndicator
public import SwiftUI

/// A view that shows a spinner or a progress bar while the network is in use. While the spinner or bar is hidden, the
/// view keeps its space.
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
/// Without a closure for the fraction, the view shows a spinner, which is small except on tvOS and doesn't grow with
/// the text size. With a closure, the view always has the size of a bar that fills the available width, and whose ideal
/// width is 100 points. While the fraction is `nil`, the spinner is in the middle of this space. The spinner or bar
/// appears and disappears by fading.
///
/// The view calls the closure that returns the fraction in its own `body`. If the closure reads observable values, such
/// as a `TransferMeter`, their changes therefore update this view, and not the view that contains it.
///
/// VoiceOver skips a hidden spinner or bar. For UI tests, a visible spinner or bar has the accessibility identifier
/// `NetworkActivity`.
public struct NetworkActivityView: View {
    private let given: NetworkIndicatorManager?
    private let label: Text?
    private let fraction: (@MainActor () -> Double?)?
    /// Whether a capsule separates the visible spinner or bar from what is behind it.
    var hasCapsule = false
    @Environment(\.networkIndicatorManager) private var environment
    @State private var spinnerSize = CGSize.zero

    /// Creates a view that observes a manager.
    ///
    /// - Parameters:
    ///   - manager: The manager to observe. The default is the manager of the environment,
    ///     `EnvironmentValues.networkIndicatorManager`.
    ///   - label: The text that VoiceOver reads. The default is the system's localized text for progress.
    ///   - fraction: Returns the transferred fraction, clamped to 0 through 1. If the fraction is `nil` or NaN, a
    ///     spinner is shown instead of a bar. By default, a spinner is always shown.
    public init(
        _ manager: NetworkIndicatorManager? = nil, label: Text? = nil, fraction: (@MainActor () -> Double?)? = nil
    ) {
        given = manager
        self.label = label
        self.fraction = fraction
    }

    public var body: some View {
        let isVisible = (given ?? environment).isIndicatorVisible
        let fraction = clamped(fraction?())
        // A capsule is over other views, so its size may change.
        space(hasBar: hasCapsule ? fraction != nil : self.fraction != nil)
            .opacity(0)
            .accessibilityHidden(true)
            .overlay {
                if isVisible {
                    control(fraction).background {
                        if hasCapsule { Capsule().fill(.regularMaterial).padding(-6) }
                    }
                }
            }
            .animation(.default, value: isVisible)
    }

    private func space(hasBar: Bool) -> some View {
        ZStack {
            // A hidden spinner would still be animated, so a symbol of about the same size reserves the spinner's
            // space. Unlike the symbol, the spinner doesn't grow with the text size. On tvOS, the spinner is larger
            // than the symbol, so the frame grows to the spinner's size.
            Image(systemName: "circle").font(.body).dynamicTypeSize(.large)
                .frame(minWidth: spinnerSize.width, minHeight: spinnerSize.height)
            // Without a proposed width, as in some toolbars, a bar has no useful width of its own.
            if hasBar { ProgressView(value: 0).frame(idealWidth: 100) }
        }
    }

    @ViewBuilder
    private func control(_ fraction: Double?) -> some View {
        // UI tests can't find a container without accessible children, so the identifier belongs to the control and not
        // to the whole view.
        let identified = unlabelled(fraction).accessibilityIdentifier(networkActivityIdentifier)
        if let label { identified.accessibilityLabel(label) } else { identified }
    }

    @ViewBuilder
    private func unlabelled(_ fraction: Double?) -> some View {
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
        // Some SDKs mark `controlSize(_:)` as unavailable on tvOS.
        #if os(tvOS)
        ProgressView()
        #else
        ProgressView().controlSize(.small)
        #endif
    }
}
#endif
