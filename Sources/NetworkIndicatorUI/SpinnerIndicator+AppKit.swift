#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
public import NetworkIndicator

/// Shows an `NSProgressIndicator` while the network is in use, and hides it otherwise.
///
/// The indicator holds its view weakly. When the visibility changes after the view is deallocated, the manager detaches
/// the indicator.
///
/// ```swift
/// let spinner = NSProgressIndicator()
/// spinner.style = .spinning
/// spinner.controlSize = .small
/// NetworkIndicatorManager.shared.attach(SpinnerIndicator(spinner))
/// ```
///
/// Since macOS 26, a toolbar item's glass background stays visible while the item's view is hidden. In a toolbar, also
/// pass the item, so that the indicator hides the item:
///
/// ```swift
/// let item = NSToolbarItem(itemIdentifier: .init("NetworkActivity"))
/// let spinner = NSProgressIndicator()
/// spinner.style = .spinning
/// item.view = spinner
/// NetworkIndicatorManager.shared.attach(SpinnerIndicator(spinner, item: item))
/// ```
///
/// Set ``fraction`` to show how much has been transferred.
///
/// For UI tests, the indicator sets the view's accessibility identifier to `NetworkActivity`, unless the view already
/// has an identifier.
public final class SpinnerIndicator: ExpiringIndicator {
    private weak var view: NSProgressIndicator?
    private weak var item: NSToolbarItem?
    private let label: String?
    private var isVisible = false
    private var isDisplayedWhenStopped: Bool?

    /// The transferred fraction. The view shows the fraction, clamped to 0 through 1, on its scale from `minValue` to
    /// `maxValue`. If the fraction is `nil` (the default) or NaN, the view is indeterminate.
    public var fraction: Double? {
        didSet { if isVisible { show() } }
    }

    /// Creates an indicator for a view.
    ///
    /// - Parameters:
    ///   - view: The view to show, with the style `.spinning` or `.bar`.
    ///   - item: The toolbar item that contains the view. The indicator hides the item together with the view, except
    ///     on macOS 14, where items can't be hidden.
    ///   - label: The text that VoiceOver reads, in the user's language. By default, VoiceOver reads the view's own
    ///     label.
    public nonisolated init(_ view: NSProgressIndicator, item: NSToolbarItem? = nil, label: String? = nil) {
        self.view = view
        self.item = item
        self.label = label
    }

    package var isExpired: Bool { view == nil }

    public func setVisible(_ isVisible: Bool) {
        self.isVisible = isVisible
        identify()
        if isVisible { show() } else { hide() }
        if #available(macOS 15, *) { item?.isHidden = !isVisible }
    }

    private func identify() {
        guard let view else { return }
        if let label { view.setAccessibilityLabel(label) }
        // AppKit declares `accessibilityIdentifier()` twice, with the result types `String` and `String?`. The type
        // annotation selects the method with the optional result.
        let identifier: String? = view.accessibilityIdentifier()
        // A nib gives a view without an identifier one such as `_NS:8`.
        let isOwn = identifier.map { !$0.isEmpty && !$0.hasPrefix("_NS:") } ?? false
        if !isOwn { view.setAccessibilityIdentifier(networkActivityIdentifier) }
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
            // If `isDisplayedWhenStopped` is `false`, a progress indicator that isn't animating is invisible.
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
