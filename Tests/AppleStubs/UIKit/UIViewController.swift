#if !watchOS
@MainActor
open class UIViewController {
    public init() {}
    public let navigationItem = UINavigationItem()
    open func viewDidLoad() {}
}

@MainActor
public final class UINavigationItem {
    public var rightBarButtonItem: UIBarButtonItem?
}

@MainActor
public final class UIBarButtonItem {
    public init(customView: UIView) {}

    #if iOS
    @available(iOS 26, *)
    public var hidesSharedBackground = false
    #endif
}
#endif
