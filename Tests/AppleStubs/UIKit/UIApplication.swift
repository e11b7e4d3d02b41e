#if !watchOS
import AppleStubs

@MainActor
open class UIApplication {
    private static let application = UIApplication()

    #if EXTENSION
    // In Apple's SDK, the property is unavailable only in app extensions. The compiler on Linux doesn't know the
    // platform `iOSApplicationExtension`, so EXTENSION makes the property unavailable in the whole build.
    @available(*, unavailable)
    #endif
    public class var shared: UIApplication {
        // Apple's property isn't optional, but it returns nil in a process without an application. The stub traps
        // instead.
        guard Settings.hasApplication else { fatalError("There is no application.") }
        return application
    }

    #if iOS
    @available(*, deprecated, message: "Provide a custom network activity UI in your app if desired.")
    public var isNetworkActivityIndicatorVisible = false {
        didSet { Journal.record("isNetworkActivityIndicatorVisible = \(isNetworkActivityIndicatorVisible)") }
    }
    #endif

    /// In Apple's SDK, `NSObjectProtocol` declares this method.
    public class func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! {
        precondition(aSelector.name == "sharedApplication", "unrecognized selector")
        return Settings.hasApplication ? .passUnretained(application) : nil
    }
}

/// In Apple's SDK, the module ObjectiveC declares this type, and UIKit exports it.
public struct Selector { let name: String }

/// In Apple's SDK, Foundation declares this function, and UIKit exports it.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(name: aSelectorName) }
#endif
