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
    /// The default alignment is the top center of this view. The other parameters are those of
    /// ``NetworkActivityView/init(_:label:fraction:)``.
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
