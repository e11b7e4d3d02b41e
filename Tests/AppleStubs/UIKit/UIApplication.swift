#if !watchOS
import AppleStubs

@MainActor
open class UIApplication {
    private static let application = UIApplication()

    #if EXTENSION
    // Apple's declaration is unavailable only in extensions. The compiler on Linux doesn't know the platform
    // `iOSApplicationExtension`, so this declaration is unavailable in the whole variant.
    @available(*, unavailable)
    #endif
    public class var shared: UIApplication {
        // Apple's property isn't optional, but nil in a process without an application.
        guard Settings.hasApplication else { fatalError("There is no application.") }
        return application
    }

    #if iOS
    @available(*, deprecated, message: "Provide a custom network activity UI in your app if desired.")
    public var isNetworkActivityIndicatorVisible = false {
        didSet { Journal.record("isNetworkActivityIndicatorVisible = \(isNetworkActivityIndicatorVisible)") }
    }
    #endif

    /// Declared by `NSObjectProtocol`.
    public class func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! {
        precondition(aSelector.name == "sharedApplication", "unrecognized selector")
        return Settings.hasApplication ? .passUnretained(application) : nil
    }
}

/// Declared by the module ObjectiveC, which UIKit exports.
public struct Selector { let name: String }

/// Declared by Foundation, which UIKit exports.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(name: aSelectorName) }
#endif
