@MainActor
open class NSToolbarItem {
    public struct Identifier: Sendable { public init(_ rawValue: String) {} }

    public init(itemIdentifier: Identifier) {}

    open var view: NSView?

    @available(macOS 15, *)
    open var isHidden: Bool {
        get { hidden }
        set { hidden = newValue }
    }

    private var hidden = false
}
