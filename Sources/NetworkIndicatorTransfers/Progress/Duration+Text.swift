import NetworkIndicator

extension Duration {
    /// By default, seconds are rounded up, so that no positive duration is shown as zero.
    func text(rounded rule: FloatingPointRoundingRule = .up) -> String {
        let (whole, attoseconds) = clamped(to: .zero ... .longest).components
        let seconds = whole + Int64((Double(attoseconds) * 1e-18).rounded(rule))
        func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) m \(padded(seconds % 60)) s"
        default: "\(seconds / 3600) h \(padded(seconds % 3600 / 60)) m"
        }
    }
}
