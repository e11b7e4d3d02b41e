import Foundation
import NetworkIndicator

extension Duration {
    /// By default, seconds are rounded up, so that no positive duration is shown as zero.
    func text(rounded rule: FloatingPointRoundingRule = .up) -> String {
        let seconds = Int64(clamped(to: .zero ... .longest).timeInterval.rounded(rule))
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: String(format: "%lld m %02lld s", seconds / 60, seconds % 60)
        default: String(format: "%lld h %02lld m", seconds / 3600, seconds % 3600 / 60)
        }
    }
}
