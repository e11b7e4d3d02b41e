import AppleStubs

@MainActor
open class NSWorkspace {
    public static let shared = NSWorkspace()

    public var accessibilityDisplayShouldReduceMotion: Bool { Settings.reducesMotion }
}
