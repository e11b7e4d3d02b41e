#if canImport(SwiftUI)
public import NetworkIndicator
public import SwiftUI

extension View {
    /// Shows a small spinner at the top of this view while the network is in use.
    ///
    /// It lies over the view, takes no touches, and changes nothing in the layout. In a toolbar put a
    /// ``NetworkActivityView`` instead.
    ///
    /// ```swift
    /// struct RootView: View {
    ///     var body: some View {
    ///         ContentView().networkActivityIndicator(.shared)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - manager: Whose indicator this is. It is observed; there is nothing to attach or detach.
    ///   - label: What VoiceOver reads. “Loading” is looked up in the app's own strings.
    /// - Returns: The view with the spinner over it.
    public func networkActivityIndicator(
        _ manager: NetworkIndicatorManager = .shared, label: Text = Text("Loading")
    ) -> some View {
        overlay(alignment: .top) {
            NetworkActivityView(manager, label: label)
                .padding(4)
                .allowsHitTesting(false)
        }
    }
}
#endif
