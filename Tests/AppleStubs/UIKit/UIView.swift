#if !watchOS
import AppleStubs

@MainActor
open class UIView {
    public init() {}

    open var isHidden = false {
        didSet { Journal.record("isHidden = \(isHidden)") }
    }

    open var accessibilityIdentifier: String?

    open func addSubview(_ view: UIView) {}

    open var accessibilityLabel: String? {
        didSet { Journal.record("accessibilityLabel = \(accessibilityLabel ?? "nil")") }
    }
}

open class UIActivityIndicatorView: UIView {
    public enum Style: Sendable { case medium, large }

    public init(style: Style) {
        super.init()
        isHidden = true
    }

    open var hidesWhenStopped = true
    open private(set) var isAnimating = false

    open func startAnimating() {
        isAnimating = true
        Journal.record("startAnimating")
        if hidesWhenStopped { isHidden = false }
    }

    open func stopAnimating() {
        isAnimating = false
        Journal.record("stopAnimating")
        if hidesWhenStopped { isHidden = true }
    }
}

open class UIProgressView: UIView {
    public enum Style: Sendable { case `default` }

    public init(progressViewStyle: Style) { super.init() }

    open private(set) var progress: Float = 0

    open func setProgress(_ progress: Float, animated: Bool) {
        self.progress = progress
        Journal.record("progress = \(progress), animated: \(animated)")
    }
}
#endif
