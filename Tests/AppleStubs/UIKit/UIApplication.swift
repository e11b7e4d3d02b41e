#if !watchOS
import AppleStubs

@MainActor
open class UIApplication {
    #if EXTENSION
    // Apple's declaration is unavailable only in extensions. The compiler on Linux doesn't know the platform
    // `iOSApplicationExtension`, so this declaration is unavailable in the whole variant.
    @available(*, unavailable)
    #endif
    public static let shared = UIApplication()

    #if iOS
    @available(*, deprecated, message: "Provide a custom network activity UI in your app if desired.")
    public var isNetworkActivityIndicatorVisible = false {
        didSet { Journal.record("isNetworkActivityIndicatorVisible = \(isNetworkActivityIndicatorVisible)") }
    }
    #endif
}
#endif
