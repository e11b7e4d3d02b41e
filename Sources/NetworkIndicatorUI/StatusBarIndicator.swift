#if canImport(UIKit) && !os(watchOS) && !os(tvOS) && !os(visionOS)
public import NetworkIndicator
import UIKit

/// The network activity indicator in the status bar: `UIApplication.isNetworkActivityIndicatorVisible`.
///
/// Apple deprecated that property in iOS 13. Devices without a home button have no room for the indicator, so that on
/// them this has no effect; on the others it works. For something that shows everywhere use ``SpinnerIndicator`` or
/// ``SwiftUI/View/networkActivityIndicator(_:label:)``.
///
/// ```swift
/// NetworkIndicatorManager.shared.attach(StatusBarIndicator())
/// ```
///
/// An app extension has no application object: there it is unavailable.
@available(iOSApplicationExtension, unavailable, message: "An extension has no status bar; use SpinnerIndicator.")
public final class StatusBarIndicator: ActivityIndicator {
    /// Makes an indicator. Anywhere; one for a manager is enough.
    public nonisolated init() {}

    public func setVisible(_ isVisible: Bool) {
        let statusBar: any StatusBar = UIApplication.shared
        statusBar.isNetworkActivityIndicatorVisible = isVisible
    }
}

/// Reaches the deprecated property without a warning in every build: the documentation above says it once.
@MainActor
private protocol StatusBar: AnyObject {
    var isNetworkActivityIndicatorVisible: Bool { get set }
}

extension UIApplication: StatusBar {}
#endif
