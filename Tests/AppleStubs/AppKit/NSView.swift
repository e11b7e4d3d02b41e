import AppleStubs

@MainActor
open class NSView {
    public init() {}

    open var isHidden = false {
        didSet { Journal.record("isHidden = \(isHidden)") }
    }

    open func addSubview(_ view: NSView) {}

    private var identifier: String?

    /// AppKit's `NSAccessibilityProtocol` and `NSAccessibilityElementProtocol` declare this method with different
    /// return types.
    open func accessibilityIdentifier() -> String? { identifier }

    open func accessibilityIdentifier() -> String { identifier ?? "" }

    open func setAccessibilityIdentifier(_ accessibilityIdentifier: String?) { identifier = accessibilityIdentifier }

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
