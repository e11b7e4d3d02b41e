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
/// pass the item, so that the indicator removes the background. The item keeps its place, so the other items don't
/// move:
///
/// ```swift
/// let item = NSToolbarItem(itemIdentifier: .init("NetworkActivity"))
/// let spinner = NSProgressIndicator()
/// spinner.style = .spinning
/// item.view = spinner
/// NetworkIndicatorManager.shared.attach(SpinnerIndicator(spinner, item: item))
/// ```
///
/// To show how much has been transferred, pass a closure:
///
/// ```swift
/// import AppKit
/// import NetworkIndicator
/// import NetworkIndicatorTransfers
/// import NetworkIndicatorUI
///
/// final class LibraryViewController: NSViewController {
///     private let meter = TransferMeter()
///
///     override func viewDidLoad() {
///         super.viewDidLoad()
///         let bar = NSProgressIndicator()
///         view.addSubview(bar)
///         NetworkIndicatorManager.shared.attach(
///             SpinnerIndicator(bar) { [meter] in
///                 meter.fractionCompleted
///             })
///     }
/// }
/// ```
///
/// For UI tests, the indicator sets the view's accessibility identifier to `NetworkActivity`, unless the view already
/// has an identifier.
public final class SpinnerIndicator: ExpiringIndicator {
    private weak var view: NSProgressIndicator?
    private weak var item: NSToolbarItem?
    private let label: String?
    private let fraction: FractionReader
    private var isVisible = false
    private var isDisplayedWhenStopped: Bool?

    /// Creates an indicator for a view.
    ///
    /// - Parameters:
    ///   - view: The view to show, with the style `.spinning` or `.bar`.
    ///   - item: The toolbar item that contains the view. The indicator sets the item's `isBordered` to `false`, which
    ///     removes the glass background.
    ///   - label: The text that VoiceOver reads, in the user's language. By default, VoiceOver reads the view's own
    ///     label.
    ///   - fraction: Returns the transferred fraction. The view shows it, clamped to 0 through 1, on the scale from
    ///     `minValue` to `maxValue`. If the fraction is `nil` or NaN, the view is indeterminate. While the
    ///     indicator is visible, it calls this closure ten times a second. The indicator retains the closure, so the
    ///     closure must not retain the view.
    public nonisolated init(
        _ view: NSProgressIndicator, item: NSToolbarItem? = nil, label: String? = nil,
        fraction: (@MainActor @Sendable () -> Double?)? = nil
    ) {
        self.view = view
        self.item = item
        self.label = label
        self.fraction = FractionReader(fraction)
    }

    package var isExpired: Bool { view == nil }

    public func setVisible(_ isVisible: Bool) {
        self.isVisible = isVisible
        identify()
        item?.isBordered = false
        if isVisible {
            fraction.start { [weak self] in self?.show($0) }
        } else {
            fraction.stop()
            hide()
        }
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

    private func show(_ fraction: Double?) {
        // The closure may have turned the indicator off.
        guard let view, isVisible else { return }
        assign(fraction == nil, to: \.isIndeterminate, of: view)
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
        assign(false, to: \.isHidden, of: view)
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
