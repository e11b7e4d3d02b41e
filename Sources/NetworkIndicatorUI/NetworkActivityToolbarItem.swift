#if canImport(SwiftUI)
public import NetworkIndicator
public import SwiftUI

/// A toolbar item with a small spinner that exists while the network is in use.
///
/// While the network is idle, there is no item. Since iOS 26, an item with invisible content would leave an empty glass
/// capsule.
///
/// ```swift
/// struct RootView: View {
///     var body: some View {
///         ContentView().toolbar { NetworkActivityToolbarItem() }
///     }
/// }
/// ```
///
/// The item contains a ``NetworkActivityView``. The system moves the items beside it when it appears. In a toolbar without
/// glass, a `ToolbarItem` that contains a ``NetworkActivityView`` keeps its space.
public struct NetworkActivityToolbarItem: ToolbarContent {
    private let given: NetworkIndicatorManager?
    private let placement: ToolbarItemPlacement
    private let label: Text
    private let fraction: Double?
    @Environment(\.networkIndicatorManager) private var environment

    /// Creates an item that observes a manager.
    ///
    /// - Parameters:
    ///   - manager: The manager that decides when the item exists. If it is `nil` (the default), the item observes
    ///     `EnvironmentValues.networkIndicatorManager`.
    ///   - placement: The place in the toolbar. The default is `.automatic`.
    ///   - label: The text that VoiceOver reads. The default, “Loading”, is localized by the app's own strings.
    ///   - fraction: How much has been transferred, clamped to 0 through 1, for a bar instead of a spinner. If it is `nil`
    ///     (the default) or NaN, the fraction is unknown.
    public init(
        _ manager: NetworkIndicatorManager? = nil, placement: ToolbarItemPlacement = .automatic,
        label: Text = Text("Loading"), fraction: Double? = nil
    ) {
        given = manager
        self.placement = placement
        self.label = label
        self.fraction = fraction
    }

    public var body: some ToolbarContent {
        let manager = given ?? environment
        if manager.isIndicatorVisible {
            ToolbarItem(placement: placement) {
                NetworkActivityView(manager, label: label, fraction: fraction)
            }
        }
    }
}
#endif
