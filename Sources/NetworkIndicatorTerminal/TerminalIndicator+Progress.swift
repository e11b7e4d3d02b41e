public import Foundation
import NetworkIndicator
import NetworkIndicatorProgress

extension TerminalIndicator.Row {
    /// Creates a row from a `Progress` of any origin.
    ///
    /// The fraction is unknown while the progress is indeterminate. If its kind is `.file`, its units are bytes, and
    /// the row shows them, and the rate from the key `.throughputKey`. The time left is that of the key
    /// `.estimatedTimeRemainingKey`. The row doesn't change with the progress, so create it anew in the closure of
    /// ``TerminalIndicator/init(style:_:rows:idleRow:)``.
    ///
    /// - Parameters:
    ///   - name: The text at the beginning of the row.
    ///   - progress: The progress. It is read on the current thread.
    public init(_ name: String, progress: Progress) {
        func number(_ key: ProgressUserInfoKey) -> Double? {
            (progress.userInfo[key] as? NSNumber).flatMap { $0.doubleValue.isFinite ? max(0, $0.doubleValue) : nil }
        }
        let total = progress.isIndeterminate ? nil : progress.totalUnitCount
        self.init(name, fraction: total.map { _ in progress.fractionCompleted }, time: "")
        if progress.kind == .file {
            amount = ProgressText.bytes(max(0, progress.completedUnitCount), of: total)
            rate = number(.throughputKey).map { ProgressText.rate($0) } ?? ""
        }
        if !progress.isFinished, let seconds = number(.estimatedTimeRemainingKey) {
            time = ProgressText.timeLeft(.seconds(min(seconds, 1e9)))
        }
    }
}
