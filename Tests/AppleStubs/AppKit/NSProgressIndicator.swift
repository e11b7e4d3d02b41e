import AppleStubs

open class NSProgressIndicator: NSView {
    public enum Style: Sendable { case bar, spinning }

    open var style = Style.bar
    open var controlSize = NSControl.ControlSize.regular
    open var minValue = 0.0
    open var maxValue = 100.0

    open var isIndeterminate = true {
        didSet { Journal.record("isIndeterminate = \(isIndeterminate)") }
    }

    open var doubleValue = 0.0 {
        didSet { Journal.record("doubleValue = \(doubleValue)") }
    }

    open var isDisplayedWhenStopped = true {
        didSet { Journal.record("isDisplayedWhenStopped = \(isDisplayedWhenStopped)") }
    }

    open func startAnimation(_ sender: Any?) { Journal.record("startAnimation") }

    open func stopAnimation(_ sender: Any?) { Journal.record("stopAnimation") }
}
