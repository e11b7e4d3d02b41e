import AppleStubs

public enum UIAccessibility {
    @MainActor public static var isReduceMotionEnabled: Bool { Settings.reducesMotion }
}
