#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
public import NetworkIndicator

/// Animates an `NSProgressIndicator` while the network is in use, and hides it otherwise.
///
/// The indicator holds its view weakly, and ends with it: there is nothing to detach.
///
/// ```swift
/// let spinner = NSProgressIndicator()
/// spinner.style = .spinning
/// spinner.controlSize = .small
/// NetworkIndicatorManager.shared.attach(SpinnerIndicator(spinner))
/// ```
///
/// In a toolbar, pass the item, too. Since macOS 26, an item draws glass behind its view, also while the view is hidden:
///
/// ```swift
/// let item = NSToolbarItem(itemIdentifier: .init("NetworkActivity"))
/// let spinner = NSProgressIndicator()
/// spinner.style = .spinning
/// item.view = spinner
/// NetworkIndicatorManager.shared.attach(SpinnerIndicator(spinner, item: item))
/// ```
///
/// Set ``fraction`` to show how much has been transferred. An indeterminate view moves also under Reduce Motion, because a
/// still one would look like an app that hangs.
///
/// In UI tests, the view's accessibility identifier is `NetworkActivity`, unless it has one of its own.
public final class SpinnerIndicator: ActivityIndicator, ViewAdapter {
    private weak var view: NSProgressIndicator?
    private weak var item: NSToolbarItem?
    private let label: String?
    private var isVisible = false
    /// The view's original setting, while this indicator overrides it.
    private var isDisplayedWhenStopped: Bool?

    /// How much has been transferred, clamped to 0 through 1 and shown within the view's `minValue` and `maxValue`.
    ///
    /// If it is `nil` (the default) or NaN, the fraction is unknown, and the view is indeterminate.
    public var fraction: Double? {
        didSet { if isVisible { show() } }
    }

    /// Creates an indicator for a view. Any thread may call this; the view isn't accessed before the indicator is
    /// attached.
    ///
    /// - Parameters:
    ///   - view: The view to animate, of either style.
    ///   - item: The toolbar item that contains the view. It is hidden with the view, and its glass with it. Toolbars of
    ///     macOS 14 have no glass, and can't hide an item. There, this has no effect.
    ///   - label: The text that VoiceOver reads, in the user's language. If it is `nil`, VoiceOver reads the view's own
    ///     label.
    public nonisolated init(_ view: NSProgressIndicator, item: NSToolbarItem? = nil, label: String? = nil) {
        self.view = view
        self.item = item
        self.label = label
    }

    package var isViewDeallocated: Bool { view == nil }

    public func setVisible(_ isVisible: Bool) {
        self.isVisible = isVisible
        identify()
        if isVisible { show() } else { hide() }
        if #available(macOS 15, *) { item?.isHidden = !isVisible }
    }

    /// Sets what VoiceOver reads, and what UI tests look for.
    private func identify() {
        guard let view else { return }
        if let label { view.setAccessibilityLabel(label) }
        // AppKit declares this method twice, with `String` and with `String?`.
        let identifier: String? = view.accessibilityIdentifier()
        if identifier?.isEmpty != false { view.setAccessibilityIdentifier(networkActivityIdentifier) }
    }

    private func show() {
        guard let view else { return }
        let fraction = clamped(fraction)
        if view.isIndeterminate != (fraction == nil) { view.isIndeterminate = fraction == nil }
        if let fraction { view.doubleValue = view.minValue + fraction * (view.maxValue - view.minValue) }
        if fraction == nil {
            view.startAnimation(nil)
        } else {
            view.stopAnimation(nil)
            // Otherwise a stopped view would stay invisible.
            if !view.isDisplayedWhenStopped {
                isDisplayedWhenStopped = false
                view.isDisplayedWhenStopped = true
            }
        }
        view.isHidden = false
    }

    private func hide() {
        guard let view else { return }
        view.stopAnimation(nil)
        view.isHidden = true
        if let isDisplayedWhenStopped { view.isDisplayedWhenStopped = isDisplayedWhenStopped }
        isDisplayedWhenStopped = nil
    }
}
#endif
