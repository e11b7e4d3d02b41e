#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
public import NetworkIndicator

/// Spins an `NSProgressIndicator` while the network is in use, and hides it otherwise.
///
/// The view is held weakly: it may go away with its window, and the attachment may stay.
///
/// ```swift
/// let spinner = NSProgressIndicator()
/// spinner.style = .spinning
/// spinner.controlSize = .small
/// NetworkIndicatorManager.shared.attach(SpinnerIndicator(spinner))
/// ```
///
/// Under Reduce Motion the wheel is shown standing still: that it is there says enough.
public final class SpinnerIndicator: ActivityIndicator {
    private weak var view: NSProgressIndicator?
    private let label: String?

    /// Makes an indicator of a view. Anywhere; the view is not touched before the indicator is attached.
    ///
    /// - Parameters:
    ///   - view: What to spin. It should be indeterminate.
    ///   - label: What VoiceOver reads, in the user's language. With `nil` that is the view's own label.
    public nonisolated init(_ view: NSProgressIndicator, label: String? = nil) {
        self.view = view
        self.label = label
    }

    public func setVisible(_ isVisible: Bool) {
        guard let view else { return }
        if let label { view.setAccessibilityLabel(label) }
        if isVisible && !NSWorkspace.shared.accessibilityDisplayShouldReduceMotion {
            view.startAnimation(nil)
        } else {
            view.stopAnimation(nil)
        }
        view.isHidden = !isVisible
    }
}
#endif
