#if canImport(UIKit) && !os(watchOS)
public import NetworkIndicator
public import UIKit

/// Animates a `UIActivityIndicatorView` while the network is in use, and hides it otherwise.
///
/// The indicator holds its views weakly, and ends with them: there is nothing to detach.
///
/// ```swift
/// let spinner = UIActivityIndicatorView(style: .medium)
/// view.addSubview(spinner)
/// NetworkIndicatorManager.shared.attach(SpinnerIndicator(spinner))
/// ```
///
/// In a navigation bar or a toolbar, pass the item, too. Since iOS 26, an item draws glass behind its view, also while the
/// view is hidden:
///
/// ```swift
/// let spinner = UIActivityIndicatorView(style: .medium)
/// let item = UIBarButtonItem(customView: spinner)
/// navigationItem.rightBarButtonItem = item
/// NetworkIndicatorManager.shared.attach(SpinnerIndicator(spinner, item: item))
/// ```
///
/// With a bar, set ``fraction`` to show how much has been transferred. Under Reduce Motion, the bar jumps to its next
/// fraction. The spinner moves, because a still one would look like an app that hangs.
///
/// In UI tests, the accessibility identifier of the visible view is `NetworkActivity`, unless it has one of its own.
public final class SpinnerIndicator: ActivityIndicator, ViewAdapter {
    private weak var view: UIActivityIndicatorView?
    private weak var bar: UIProgressView?
    private weak var item: UIBarButtonItem?
    private let label: String?
    private var isVisible = false

    /// How much has been transferred, clamped to 0 through 1. If there is a bar, it shows the fraction and
    /// replaces the spinner.
    ///
    /// If it is `nil` (the default) or NaN, the fraction is unknown, and the spinner is shown. Without a bar, it has no
    /// effect.
    public var fraction: Double? {
        didSet { if isVisible { update() } }
    }

    /// Creates an indicator for a view. Any thread may call this; no view is accessed before the indicator is attached.
    ///
    /// - Parameters:
    ///   - view: The view to animate.
    ///   - bar: The view that shows ``fraction``.
    ///   - item: The bar button item that contains the views. It is hidden with them, and its glass with it. On tvOS, items
    ///     can't be hidden, and this has no effect.
    ///   - label: The text that VoiceOver reads, in the user's language. If it is `nil`, VoiceOver reads the views' own
    ///     labels. For spinners, the system has one in every language.
    public nonisolated init(
        _ view: UIActivityIndicatorView, bar: UIProgressView? = nil, item: UIBarButtonItem? = nil, label: String? = nil
    ) {
        self.view = view
        self.bar = bar
        self.item = item
        self.label = label
    }

    package var isViewDeallocated: Bool { view == nil && bar == nil }

    public func setVisible(_ isVisible: Bool) {
        self.isVisible = isVisible
        identify(view)
        identify(bar)
        update()
    }

    /// Sets what VoiceOver reads, and what UI tests look for.
    private func identify(_ view: UIView?) {
        guard let view else { return }
        if let label { view.accessibilityLabel = label }
        if view.accessibilityIdentifier == nil { view.accessibilityIdentifier = networkActivityIdentifier }
    }

    private func update() {
        let fraction = bar == nil ? nil : clamped(fraction)
        updateBar(fraction)
        updateSpinner(isVisible: isVisible && fraction == nil)
        #if !os(tvOS)
        item?.isHidden = !isVisible
        #endif
    }

    private func updateBar(_ fraction: Double?) {
        guard let bar else { return }
        if let fraction {
            let animates = isVisible && !bar.isHidden && !UIAccessibility.isReduceMotionEnabled
            bar.setProgress(Float(fraction), animated: animates)
        }
        let isHidden = !isVisible || fraction == nil
        if bar.isHidden != isHidden { bar.isHidden = isHidden }
    }

    private func updateSpinner(isVisible: Bool) {
        guard let view else { return }
        if isVisible {
            view.startAnimating()
        } else {
            view.stopAnimating()
        }
        view.isHidden = !isVisible
    }
}
#endif
