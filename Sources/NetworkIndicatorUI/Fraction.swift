/// Returns a fraction that a bar can show: from 0 to 1, or `nil` if it is unknown or NaN.
func clamped(_ fraction: Double?) -> Double? {
    guard let fraction, !fraction.isNaN else { return nil }
    return min(max(fraction, 0), 1)
}
