@MainActor
open class NSWorkspace {
    public static let shared = NSWorkspace()

    /// Only to read in AppKit: here a test sets it.
    public var accessibilityDisplayShouldReduceMotion = false
}
