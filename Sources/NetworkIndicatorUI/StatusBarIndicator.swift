#if canImport(UIKit) && !os(watchOS) && !os(tvOS) && !os(visionOS)
public import NetworkIndicator
import UIKit

/// Shows the network activity indicator in the status bar, which current versions of iOS may not draw.
///
/// The indicator sets `UIApplication.isNetworkActivityIndicatorVisible`, which Apple deprecated in iOS 13. The property
/// has no effect on devices without a home button. This class is for apps that migrate from that property. To show
/// activity on every device, use ``SpinnerIndicator`` or
/// ``SwiftUICore/View/networkActivityIndicator(_:alignment:label:fraction:)``.
///
/// ```swift
/// NetworkIndicatorManager.shared.attach(StatusBarIndicator())
/// ```
///
/// The indicator has no effect in a process without a `UIApplication`, such as a test run without a host app.
@available(iOSApplicationExtension, unavailable, message: "An extension has no status bar; use SpinnerIndicator.")
public final class StatusBarIndicator: ActivityIndicator {
    /// Creates an indicator for the status bar.
    public nonisolated init() {}

    public func setVisible(_ isVisible: Bool) {
        // In a process without an application, `UIApplication.shared` is `nil`, although its type isn't optional. This
        // code therefore calls `perform(_:)`, whose result is optional.
        let shared = UIApplication.perform(NSSelectorFromString("sharedApplication"))?.takeUnretainedValue()
        guard let application = shared as? UIApplication else { return }
        let statusBar: any StatusBar = application
        statusBar.isNetworkActivityIndicatorVisible = isVisible
    }
}

/// Redeclares a deprecated property of `UIApplication`, so that accessing the property causes no compiler warning.
@MainActor
private protocol StatusBar: AnyObject {
    var isNetworkActivityIndicatorVisible: Bool { get set }
}

extension UIApplication: StatusBar {}
#endif
