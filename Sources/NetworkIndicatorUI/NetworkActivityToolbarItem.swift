#if canImport(SwiftUI)
public import NetworkIndicator
public import SwiftUI

/// A toolbar item that shows a spinner or a progress bar while the network is in use.
///
/// ```swift
/// struct RootView: View {
///     var body: some View {
///         ContentView().toolbar { NetworkActivityToolbarItem() }
///     }
/// }
/// ```
///
/// Add the item to each screen. Pushed screens and sheets have toolbars of their own.
///
/// While the spinner or bar is hidden, the item keeps its space, so that the other items don't move. On iOS 26, macOS
/// 26 and later versions, the item has no glass background. That background would stay visible while the spinner or bar
/// is hidden. Make it the first or the last item of its placement: between two buttons, it splits their common glass.
///
/// If the toolbar has no other items, add this item only while the indicator is on, so that no empty toolbar is shown:
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
    private let placement: ToolbarItemPlacement
    // Apple documents observation for the `body` of a view, but not for the `body` of toolbar content. Therefore, only
    // this view reads the manager's state.
    private let view: NetworkActivityView

    /// Creates an item at a placement in the toolbar. The other parameters are those of
    /// ``NetworkActivityView/init(_:label:fraction:)``.
    public init(
        _ manager: NetworkIndicatorManager? = nil, placement: ToolbarItemPlacement = .automatic, label: Text? = nil,
        fraction: (@MainActor () -> Double?)? = nil
    ) {
        self.placement = placement
        view = NetworkActivityView(manager, label: label, fraction: fraction)
    }

    // The explicit `return`s turn the result builder off. With the builder, `if #available` would call
    // `buildLimitedAvailability(_:)`, which is newer than iOS 17.0 and macOS 14.0.
    public var body: some ToolbarContent {
        let item = ToolbarItem(placement: placement) { view }
        #if os(iOS) || os(macOS)
        if #available(iOS 26, macOS 26, *) { return item.sharedBackgroundVisibility(.hidden) }
        #endif
        return item
    }

    /// Returns this item with an identifier, for a toolbar that the user can customize, as in `toolbar(id: "main")`.
    ///
    /// - Parameter id: An identifier that no other item of the toolbar has. On macOS, all columns of a window share a
    ///   toolbar.
    public func customizable(id: String) -> some CustomizableToolbarContent {
        let item = ToolbarItem(id: id, placement: placement) { view }
        #if os(iOS) || os(macOS)
        if #available(iOS 26, macOS 26, *) { return item.sharedBackgroundVisibility(.hidden) }
        #endif
        return item
    }
}
#endif
