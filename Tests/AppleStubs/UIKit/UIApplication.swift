#if !watchOS
import AppleStubs

@MainActor
open class UIApplication {
    private static let application = UIApplication()

    #if EXTENSION
    // For Linux, the compiler ignores availability attributes for `iOSApplicationExtension`, so builds for extensions
    // define EXTENSION.
    @available(*, unavailable)
    #endif
    public class var shared: UIApplication {
        guard Settings.hasApplication else { fatalError("There is no application.") }
        return application
    }

    #if iOS
    @available(*, deprecated, message: "Provide a custom network activity UI in your app if desired.")
    public var isNetworkActivityIndicatorVisible = false {
        didSet { Journal.record("isNetworkActivityIndicatorVisible = \(isNetworkActivityIndicatorVisible)") }
    }
    #endif

    public class func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! {
        precondition(aSelector.name == "sharedApplication", "unrecognized selector")
        return Settings.hasApplication ? .passUnretained(application) : nil
    }
}

public struct Selector { let name: String }

public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(name: aSelectorName) }
#endif
