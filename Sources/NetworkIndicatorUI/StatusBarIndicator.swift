#if canImport(UIKit) && !os(watchOS) && !os(tvOS) && !os(visionOS)
public import NetworkIndicator
import UIKit

/// Shows the network activity indicator in the status bar, with `UIApplication.isNetworkActivityIndicatorVisible`.
///
/// Apple deprecated that property in iOS 13. It works on devices with a home button. On other devices, the status bar
/// has no space for the indicator, and setting the property has no effect. ``SpinnerIndicator`` and
/// ``SwiftUICore/View/networkActivityIndicator(_:label:fraction:)`` work on every device.
///
/// ```swift
/// NetworkIndicatorManager.shared.attach(StatusBarIndicator())
/// ```
///
/// This indicator has no effect in a process without an application object, such as the process of a test bundle. It is
/// unavailable in app extensions.
@available(iOSApplicationExtension, unavailable, message: "An extension has no status bar; use SpinnerIndicator.")
public final class StatusBarIndicator: ActivityIndicator {
    /// Creates an indicator. Any thread may call this. One indicator is enough for a manager.
    public nonisolated init() {}

    public func setVisible(_ isVisible: Bool) {
        // `UIApplication.shared` isn't optional, but it is nil in a process without an application.
        let shared = UIApplication.perform(NSSelectorFromString("sharedApplication"))?.takeUnretainedValue()
        guard let application = shared as? UIApplication else { return }
        let statusBar: any StatusBar = application
        statusBar.isNetworkActivityIndicatorVisible = isVisible
    }
}

/// Accesses the deprecated property without a compiler warning.
@MainActor
private protocol StatusBar: AnyObject {
    var isNetworkActivityIndicatorVisible: Bool { get set }
}

extension UIApplication: StatusBar {}
#endif
