func clamped(_ fraction: Double?) -> Double? {
    guard let fraction, !fraction.isNaN else { return nil }
    return min(max(fraction, 0), 1)
}
