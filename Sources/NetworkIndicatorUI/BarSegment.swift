/// Returns the visible part of a bar whose leading end is 0 and whose trailing end is 1.
///
/// - Parameter time: In seconds. Without a fraction, a segment moves through the bar every 1.5 s, unless it is still.
func barSegment(fraction: Double?, at time: Double, isStill: Bool) -> ClosedRange<Double> {
    if let fraction { return 0...fraction }
    if isStill { return 1 / 3...2 / 3 }
    let phase = time / 1.5 - (time / 1.5).rounded(.down)
    let start = phase * 4 / 3 - 1 / 3
    return max(0, start)...min(1, start + 1 / 3)
}
