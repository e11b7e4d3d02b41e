/// Returns the fraction, clamped to 0 through 1, or `nil` if the fraction is unknown or NaN.
func clamped(_ fraction: Double?) -> Double? {
    guard let fraction, !fraction.isNaN else { return nil }
    return min(max(fraction, 0), 1)
}
