#if canImport(UIKit) && !os(watchOS)
public import NetworkIndicator
public import UIKit

/// Shows a `UIActivityIndicatorView`, a `UIProgressView`, or one of both, while the network is in use.
///
/// The indicator holds its views weakly. When the visibility changes after the views are deallocated, the manager
/// detaches the indicator.
///
/// ```swift
/// let spinner = UIActivityIndicatorView(style: .medium)
/// view.addSubview(spinner)
/// NetworkIndicatorManager.shared.attach(SpinnerIndicator(spinner))
/// ```
///
/// Since iOS 26, a bar button item's glass background stays visible while the item's view is hidden. In a navigation
/// bar or a toolbar, also pass the item, so that the indicator removes the background. The item keeps its place, so the
/// other items don't move:
///
/// ```swift
/// let spinner = UIActivityIndicatorView(style: .medium)
/// let item = UIBarButtonItem(customView: spinner)
/// navigationItem.rightBarButtonItem = item
/// NetworkIndicatorManager.shared.attach(SpinnerIndicator(spinner, item: item))
/// ```
///
/// To show how much has been transferred, pass a bar and a closure, with or without a spinner. If Reduce Motion is on,
/// the bar changes without animation.
///
/// ```swift
/// import NetworkIndicator
/// import NetworkIndicatorTransfers
/// import NetworkIndicatorUI
/// import UIKit
///
/// final class LibraryViewController: UIViewController {
///     private let meter = TransferMeter()
///
///     override func viewDidLoad() {
///         super.viewDidLoad()
///         let bar = UIProgressView(progressViewStyle: .bar)
///         view.addSubview(bar)
///         NetworkIndicatorManager.shared.attach(
///             SpinnerIndicator(bar: bar) { [meter] in
///                 meter.fractionCompleted
///             })
///     }
/// }
/// ```
///
/// For UI tests, the indicator sets the accessibility identifier of each view to `NetworkActivity`, unless that view
/// already has an identifier.
public final class SpinnerIndicator: ExpiringIndicator {
    private weak var view: UIActivityIndicatorView?
    private weak var bar: UIProgressView?
    private weak var item: UIBarButtonItem?
    private let label: String?
    private let fraction: FractionReader
    private var isVisible = false

    /// Creates an indicator for a spinner, a bar, or both.
    ///
    /// - Parameters:
    ///   - view: The spinner to animate, or `nil` (the default).
    ///   - bar: The view that shows the fraction, or `nil` (the default). Without a spinner, the bar is empty while the
    ///     fraction is unknown.
    ///   - item: The bar button item that contains the views. On iOS 26 and later, the indicator sets the item's
    ///     `hidesSharedBackground`. The system ignores this property for an item in a group of several items.
    ///   - label: The text that VoiceOver reads, in the user's language. By default, VoiceOver reads the views' own
    ///     labels.
    ///   - fraction: Returns the transferred fraction. The bar shows the fraction, clamped to 0 through 1, and replaces
    ///     the spinner. If the fraction is `nil` or NaN, or if there is no bar, the spinner is shown. While the
    ///     indicator is visible, it calls this closure ten times a second. The indicator retains the closure, so the
    ///     closure must not retain the view.
    public nonisolated init(
        _ view: UIActivityIndicatorView? = nil, bar: UIProgressView? = nil, item: UIBarButtonItem? = nil,
        label: String? = nil, fraction: (@MainActor @Sendable () -> Double?)? = nil
    ) {
        self.view = view
        self.bar = bar
        self.item = item
        self.label = label
        self.fraction = FractionReader(fraction)
    }

    package var isExpired: Bool { view == nil && bar == nil }

    public func setVisible(_ isVisible: Bool) {
        self.isVisible = isVisible
        identify(view)
        identify(bar)
        #if os(iOS)
        if #available(iOS 26, *) { item?.hidesSharedBackground = true }
        #endif
        if isVisible {
            fraction.start { [weak self] in self?.update($0) }
        } else {
            fraction.stop()
            update(nil)
        }
    }

    private func identify(_ view: UIView?) {
        guard let view else { return }
        if let label { view.accessibilityLabel = label }
        if view.accessibilityIdentifier == nil { view.accessibilityIdentifier = networkActivityIdentifier }
    }

    private func update(_ fraction: Double?) {
        let look = SpinnerLook(isVisible: isVisible, fraction: fraction, hasSpinner: view != nil, hasBar: bar != nil)
        if let bar {
            if let progress = look.progress {
                let animates = !bar.isHidden && !UIAccessibility.isReduceMotionEnabled
                bar.setProgress(Float(progress), animated: animates)
            }
            assign(look.progress == nil, to: \.isHidden, of: bar)
        }
        if let view {
            if look.isSpinning != view.isAnimating {
                if look.isSpinning { view.startAnimating() } else { view.stopAnimating() }
            }
            assign(!look.isSpinning, to: \.isHidden, of: view)
        }
    }
}
#endif
