import AppleStubs

@MainActor
open class NSView {
    public init() {}

    open var isHidden = false {
        didSet { Journal.record("isHidden = \(isHidden)") }
    }

    open func addSubview(_ view: NSView) {}

    private var label: String?

    open func accessibilityLabel() -> String? { label }

    open func setAccessibilityLabel(_ accessibilityLabel: String?) {
        label = accessibilityLabel
        Journal.record("accessibilityLabel = \(accessibilityLabel ?? "nil")")
    }
}

open class NSControl: NSView {
    public enum ControlSize: Sendable { case regular, small }
}

open class NSProgressIndicator: NSView {
    public enum Style: Sendable { case bar, spinning }

    open var style = Style.bar
    open var controlSize = NSControl.ControlSize.regular

    open func startAnimation(_ sender: Any?) { Journal.record("startAnimation") }
    open func stopAnimation(_ sender: Any?) { Journal.record("stopAnimation") }
}
