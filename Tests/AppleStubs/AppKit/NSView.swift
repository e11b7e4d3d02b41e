import AppleStubs

@MainActor
open class NSView {
    public init() {}

    open var isHidden = false {
        didSet { Journal.record("isHidden = \(isHidden)") }
    }

    open func addSubview(_ view: NSView) {}

    private var identifier: String?

    /// In AppKit, the protocol NSAccessibilityProtocol declares this method.
    open func accessibilityIdentifier() -> String? { identifier }

    /// In AppKit, the protocol NSAccessibilityElementProtocol declares this method.
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
