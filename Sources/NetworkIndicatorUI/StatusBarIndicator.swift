#if canImport(UIKit) && !os(watchOS) && !os(tvOS) && !os(visionOS)
public import NetworkIndicator
import UIKit

/// Shows the network activity indicator in the status bar, by setting
/// `UIApplication.isNetworkActivityIndicatorVisible`.
///
/// Apple deprecated that property in iOS 13. The property still works on devices with a home button. On other devices,
/// the status bar has no space for the indicator, and setting the property has no effect. ``SpinnerIndicator`` and
/// ``SwiftUICore/View/networkActivityIndicator(_:label:fraction:)`` work on every device.
///
/// ```swift
/// NetworkIndicatorManager.shared.attach(StatusBarIndicator())
/// ```
///
/// The indicator has no effect in a process without an application object, such as a process that runs a test bundle
/// without a host app. It is unavailable in app extensions.
@available(iOSApplicationExtension, unavailable, message: "An extension has no status bar; use SpinnerIndicator.")
public final class StatusBarIndicator: ActivityIndicator {
    /// Creates an indicator. Any thread.
    public nonisolated init() {}

    public func setVisible(_ isVisible: Bool) {
        // In a process without an application, `UIApplication.shared` is nil, although its type isn't optional. The
        // result of a call by selector is optional.
        let shared = UIApplication.perform(NSSelectorFromString("sharedApplication"))?.takeUnretainedValue()
        guard let application = shared as? UIApplication else { return }
        let statusBar: any StatusBar = application
        statusBar.isNetworkActivityIndicatorVisible = isVisible
    }
}

/// Declares the deprecated property again, so that accessing it causes no compiler warning.
@MainActor
private protocol StatusBar: AnyObject {
    var isNetworkActivityIndicatorVisible: Bool { get set }
}

extension UIApplication: StatusBar {}
#endif
