import AppleStubs

open class NSProgressIndicator: NSView {
    public enum Style: Sendable { case bar, spinning }

    open var style = Style.bar
    open var controlSize = NSControl.ControlSize.regular
    open var minValue = 0.0
    open var maxValue = 100.0
    private var isAnimating = false

    open var isIndeterminate = true {
        didSet { Journal.record("isIndeterminate = \(isIndeterminate)") }
    }

    open var doubleValue = 0.0 {
        didSet { Journal.record("doubleValue = \(doubleValue)") }
    }

    open var isDisplayedWhenStopped = true {
        didSet { Journal.record("isDisplayedWhenStopped = \(isDisplayedWhenStopped)") }
    }

    open func startAnimation(_ sender: Any?) {
        isAnimating = true
        Journal.record("startAnimation")
    }

    open func stopAnimation(_ sender: Any?) {
        isAnimating = false
        Journal.record("stopAnimation")
    }

    /// Whether the view is visible on the screen. AppKit has no such property.
    public var isSeen: Bool { !isHidden && (isAnimating || isDisplayedWhenStopped) }
}
