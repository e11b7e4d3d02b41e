/// What a `SpinnerIndicator` of UIKit shows.
struct SpinnerLook: Equatable {
    var isSpinning = false
    /// The progress that the bar shows, or `nil` while the bar is hidden.
    var progress: Double?

    init(isVisible: Bool, fraction: Double?, hasSpinner: Bool, hasBar: Bool) {
        guard isVisible else { return }
        isSpinning = hasSpinner && (fraction == nil || !hasBar)
        progress = hasBar && !isSpinning ? fraction ?? 0 : nil
    }
}

/// Setting a property of a view has effects even if the value is the same. For example, a stack view counts how often a
/// view was hidden during an animation.
@MainActor
func assign<View: AnyObject, Value: Equatable>(
    _ value: Value, to property: ReferenceWritableKeyPath<View, Value>, of view: View
) {
    if view[keyPath: property] != value { view[keyPath: property] = value }
}
