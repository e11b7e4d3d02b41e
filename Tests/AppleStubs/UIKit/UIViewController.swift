#if !watchOS
@MainActor
open class UIViewController {
    public init() {}
    public let navigationItem = UINavigationItem()
    open var view: UIView! = UIView()
    open func viewDidLoad() {}
}

@MainActor
public final class UINavigationItem {
    public var rightBarButtonItem: UIBarButtonItem?
}

@MainActor
public final class UIBarButtonItem {
    public init(customView: UIView) {}

    #if !tvOS
    public var isHidden = false
    #endif
}
#endif
