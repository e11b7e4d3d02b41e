#if canImport(SwiftUI)
public import NetworkIndicator
public import SwiftUI

/// A toolbar item with a small spinner that is visible while the network is in use.
///
/// ```swift
/// struct RootView: View {
///     var body: some View {
///         ContentView().toolbar { NetworkActivityToolbarItem() }
///     }
/// }
/// ```
///
/// The item contains a ``NetworkActivityView``, and keeps its space while the view is hidden. The items beside it
/// therefore don't move. On iOS 26 and macOS 26, the item hides its glass background, which would also be visible while
/// the network is idle.
///
/// If this is the only item of a toolbar, the toolbar stays visible while the network is idle. To remove the item while
/// the network is idle, read the manager's state in the view that has the toolbar:
///
/// ```swift
/// struct RootView: View {
///     @Environment(\.networkIndicatorManager) private var manager
///
///     var body: some View {
///         ContentView().toolbar {
///             if manager.isIndicatorVisible { NetworkActivityToolbarItem() }
///         }
///     }
/// }
/// ```
public struct NetworkActivityToolbarItem: ToolbarContent {
    private let given: NetworkIndicatorManager?
    private let placement: ToolbarItemPlacement
    private let label: Text?
    private let fraction: Double?
    @Environment(\.networkIndicatorManager) private var environment

    /// Creates an item that observes a manager.
    ///
    /// - Parameters:
    ///   - manager: The manager that decides when the spinner is visible. If `nil` (the default), the item observes
    ///     `EnvironmentValues.networkIndicatorManager`.
    ///   - placement: The place in the toolbar. The default is `.automatic`.
    ///   - label: The text that VoiceOver reads. If `nil` (the default), VoiceOver reads the system's localized text
    ///     for progress.
    ///   - fraction: The transferred fraction, clamped to 0 through 1. A bar shows the fraction and replaces the
    ///     spinner. If `nil` (the default) or NaN, the fraction is unknown, and the spinner is shown.
    public init(
        _ manager: NetworkIndicatorManager? = nil, placement: ToolbarItemPlacement = .automatic, label: Text? = nil,
        fraction: Double? = nil
    ) {
        given = manager
        self.placement = placement
        self.label = label
        self.fraction = fraction
    }

    public var body: some ToolbarContent {
        // Only the view reads the manager's state. SwiftUI documents observation for the body of a view, but not for
        // toolbar content.
        let item = ToolbarItem(placement: placement) {
            NetworkActivityView(given ?? environment, label: label, fraction: fraction)
        }
        #if os(iOS) || os(macOS)
        if #available(iOS 26, macOS 26, *) {
            item.sharedBackgroundVisibility(.hidden)
        } else {
            item
        }
        #else
        item
        #endif
    }
}
#endif
