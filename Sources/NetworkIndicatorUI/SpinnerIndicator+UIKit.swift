#if canImport(UIKit) && !os(watchOS)
public import NetworkIndicator
public import UIKit

/// Spins a `UIActivityIndicatorView` while the network is in use, and hides it otherwise.
///
/// The view is held weakly: it may go away with its window, and the attachment may stay.
///
/// ```swift
/// let spinner = UIActivityIndicatorView(style: .medium)
/// navigationItem.rightBarButtonItem = UIBarButtonItem(customView: spinner)
/// NetworkIndicatorManager.shared.attach(SpinnerIndicator(spinner))
/// ```
///
/// Under Reduce Motion the wheel is shown standing still: that it is there says enough.
public final class SpinnerIndicator: ActivityIndicator {
    private weak var view: UIActivityIndicatorView?
    private let label: String?

    /// Makes an indicator of a view. Anywhere; the view is not touched before the indicator is attached.
    ///
    /// - Parameters:
    ///   - view: What to spin.
    ///   - label: What VoiceOver reads, in the user's language. With `nil` that is the view's own label: the system has
    ///     one for spinning views, in every language.
    public nonisolated init(_ view: UIActivityIndicatorView, label: String? = nil) {
        self.view = view
        self.label = label
    }

    public func setVisible(_ isVisible: Bool) {
        guard let view else { return }
        if let label { view.accessibilityLabel = label }
        if isVisible && !UIAccessibility.isReduceMotionEnabled {
            view.startAnimating()
        } else {
            view.stopAnimating()
        }
        view.isHidden = !isVisible
    }
}
#endif
