#if canImport(SwiftUI)
public import NetworkIndicator
public import SwiftUI

extension View {
    /// Shows a spinner or a progress bar over this view while the network is in use.
    ///
    /// The indicator ignores touches and clicks, and doesn't change the layout. Apply the modifier to the content of a
    /// `NavigationStack`, because an overlay of the stack itself may cover the title or the buttons of the navigation
    /// bar. In a toolbar, use ``NetworkActivityToolbarItem`` instead.
    ///
    /// ```swift
    /// struct RootView: View {
    ///     var body: some View {
    ///         NavigationStack {
    ///             ContentView().networkActivityIndicator()
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - manager: The manager to observe. The default is the manager of the environment,
    ///     `EnvironmentValues.networkIndicatorManager`.
    ///   - alignment: The place of the indicator in this view. The default is the top center.
    ///   - label: The text that VoiceOver reads. The default is the system's localized text for progress.
    ///   - fraction: Returns the transferred fraction, clamped to 0 through 1. If the fraction is `nil` (the default)
    ///     or NaN, a spinner is shown instead of a bar.
    /// - Returns: A view that shows the indicator over this view.
    public func networkActivityIndicator(
        _ manager: NetworkIndicatorManager? = nil, alignment: Alignment = .top, label: Text? = nil,
        fraction: @escaping @MainActor () -> Double? = { nil }
    ) -> some View {
        overlay(alignment: alignment) {
            NetworkActivityView(manager, label: label, fraction: fraction)
                .padding(4)
                .allowsHitTesting(false)
        }
    }
}
#endif
