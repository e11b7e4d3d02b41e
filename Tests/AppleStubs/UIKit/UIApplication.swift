#if !watchOS
import AppleStubs

@MainActor
open class UIApplication {
    #if EXTENSION
    // Apple's declaration is unavailable only in extensions. Linux doesn't know that platform, so this one is always
    // unavailable.
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
