import AppleStubs

@MainActor
open class NSView {
    public init() {}

    open var isHidden = false {
        didSet { Journal.record("isHidden = \(isHidden)") }
    }

    open func addSubview(_ view: NSView) {}

    private var identifier: String?

    /// Declared by the protocol NSAccessibilityProtocol.
    open func accessibilityIdentifier() -> String? { identifier }

    /// Declared by the protocol NSAccessibilityElementProtocol.
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
