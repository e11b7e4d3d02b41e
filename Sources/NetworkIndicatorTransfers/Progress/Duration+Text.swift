import NetworkIndicator

extension Duration {
    /// Returns the duration as text, the same in every locale: `3 s`, `0.52 s`, `1 m 02 s` or `1 h 02 m`.
    ///
    /// - Parameters:
    ///   - decimals: The number of decimals for durations below a minute, at most 3. Default 0.
    ///   - rule: The rule for rounding the last digit. By default, the digit is rounded up, so that only a duration of
    ///     zero is shown as zero.
    func text(decimals: Int = 0, rounded rule: FloatingPointRoundingRule = .up) -> String {
        let duration = clamped(to: .zero ... .longest)
        let scale: Int64 = [1, 10, 100, 1000][min(max(0, decimals), 3)]
        let units = Self.rounded(duration * scale, rule)
        if units < 60 * scale {
            guard scale > 1 else { return "\(units) s" }
            let fraction = String(scale + units % scale).dropFirst()
            return "\(units / scale).\(fraction) s"
        }
        let seconds = Self.rounded(duration, rule)
        func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        if seconds < 3600 { return "\(seconds / 60) m \(padded(seconds % 60)) s" }
        return "\(seconds / 3600) h \(padded(seconds % 3600 / 60)) m"
    }

    private static func rounded(_ duration: Duration, _ rule: FloatingPointRoundingRule) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds + Int64((Double(attoseconds) * 1e-18).rounded(rule))
    }
}
