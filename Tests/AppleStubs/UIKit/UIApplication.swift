#if !watchOS
import AppleStubs

@MainActor
open class UIApplication {
    #if EXTENSION
    // Apple's is unavailable in extensions of its systems only, and this is none of them.
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
