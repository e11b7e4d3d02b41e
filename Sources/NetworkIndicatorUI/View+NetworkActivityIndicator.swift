#if canImport(SwiftUI)
public import NetworkIndicator
public import SwiftUI

extension View {
    /// Shows a spinner or a progress bar on a capsule over this view while the network is in use.
    ///
    /// The indicator ignores touches and clicks, and doesn't change the layout, so it covers what is below it. On a
    /// screen with a toolbar, use ``NetworkActivityToolbarItem`` instead.
    ///
    /// Apply the modifier to the content of each screen. Pushed screens and sheets don't show the indicator of another
    /// screen. An overlay of a `NavigationStack` itself may cover the title or the buttons of the navigation bar.
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
    ///   - fraction: Returns the transferred fraction, clamped to 0 through 1. If the fraction is `nil` or NaN, a
    ///     spinner is shown instead of a bar. By default, a spinner is always shown.
    /// - Returns: A view that shows the indicator over this view.
    public func networkActivityIndicator(
        _ manager: NetworkIndicatorManager? = nil, alignment: Alignment = .top, label: Text? = nil,
        fraction: (@MainActor () -> Double?)? = nil
    ) -> some View {
        var indicator = NetworkActivityView(manager, label: label, fraction: fraction)
        indicator.hasCapsule = true
        return overlay(alignment: alignment) { indicator.padding(10).allowsHitTesting(false) }
    }
}
#endif
