public enum UIAccessibility {
    /// Only to read in UIKit: here a test sets it.
    @MainActor public static var isReduceMotionEnabled = false
}
