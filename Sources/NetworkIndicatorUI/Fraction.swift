/// A fraction that a bar can show: within 0 to 1, or `nil` where it is unknown or not a number.
func clamped(_ fraction: Double?) -> Double? {
    guard let fraction, !fraction.isNaN else { return nil }
    return min(max(fraction, 0), 1)
}
