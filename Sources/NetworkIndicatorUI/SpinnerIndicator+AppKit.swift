#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
public import NetworkIndicator

/// Animates an `NSProgressIndicator` while the network is in use, and hides it otherwise.
///
/// The indicator holds its view weakly, so the view can be deallocated while the indicator stays attached.
///
/// ```swift
/// let spinner = NSProgressIndicator()
/// spinner.style = .spinning
/// spinner.controlSize = .small
/// NetworkIndicatorManager.shared.attach(SpinnerIndicator(spinner))
/// ```
///
/// Set ``fraction`` to show how much has been transferred. An indeterminate view moves also under Reduce Motion, because a
/// still one would look like an app that hangs.
public final class SpinnerIndicator: ActivityIndicator {
    private weak var view: NSProgressIndicator?
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
    ///   - label: The text that VoiceOver reads, in the user's language. If it is `nil`, VoiceOver reads the view's own
    ///     label.
    public nonisolated init(_ view: NSProgressIndicator, label: String? = nil) {
        self.view = view
        self.label = label
    }

    public func setVisible(_ isVisible: Bool) {
        self.isVisible = isVisible
        if isVisible { show() } else { hide() }
    }

    private func show() {
        guard let view else { return }
        if let label { view.setAccessibilityLabel(label) }
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
