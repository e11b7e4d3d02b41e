public import Foundation
import NetworkIndicator
public import NetworkIndicatorProgress

extension TerminalIndicator {
    /// Creates an indicator that is off, and that shows the progress of one operation. See ``Row/init(_:progress:)``.
    ///
    /// ```swift
    /// let progress = Progress(totalUnitCount: 4)
    /// let indicator = TerminalIndicator("4 files", progress: progress)
    /// ```
    ///
    /// While the indicator is off, it shows an idle row if the progress isn't finished and `.pauseTextKey` says why it
    /// pauses. Call ``redraw()`` after you set the key. A `TransferMeter` sets the key itself. To show its waits as
    /// soon as they begin, read its `waitingText` in an idle row of your own.
    public nonisolated convenience init(_ name: String, progress: Progress, style: Style = Style()) {
        self.init(style: style, { Row(name, progress: progress) }, idleRow: { Row(name, pauseOf: progress) })
    }

    /// Creates an indicator that is off, and that shows the progress of one transfer, whose `receive` method gets the
    /// events of its calls.
    ///
    /// ```swift
    /// let transfer = TransferMeter().beginTransfer()
    /// let indicator = TerminalIndicator("film.mp4", transfer)
    /// ```
    ///
    /// While the transfer waits, the indicator is off, and an idle row says `offline`, or `waiting, 8 s`. After the
    /// transfer has ended, the row keeps its last progress until the indicator turns off.
    public nonisolated convenience init(_ name: String, _ transfer: TransferMeter.Transfer, style: Style = Style()) {
        let progress = transfer.progress
        self.init(
            style: style,
            { [weak transfer] in transfer?.status.map { Row(name, $0) } ?? Row(name, progress: progress) },
            idleRow: { [weak transfer] in transfer?.status.flatMap { $0.pauseText == nil ? nil : Row(name, $0) } })
    }
}

extension TerminalIndicator.Row {
    /// Creates a row from the status of a transfer, or of all transfers of a meter.
    ///
    /// The columns are the texts of the status, such as `24.1 of 62.6 MB`, `13 MB/s` and `3 s left`, or `waiting, 8 s`.
    /// The row doesn't change with the transfer.
    public init(_ name: String, _ status: TransferStatus) {
        let amount = status.completedBytes == 0 && status.totalBytes == nil ? "" : status.bytesDescription
        let (rate, time) = (status.rateDescription ?? "", status.timeDescription ?? "")
        self.init(name, fraction: status.fractionCompleted, amount: amount, rate: rate, time: time)
    }

    /// Creates a row from a `Progress` of any origin.
    ///
    /// The fraction is unknown while the progress is indeterminate. If its kind is `.file`, its units are bytes, and
    /// the row shows them, and the rate from the key `.throughputKey`. The time left is that of the key
    /// `.estimatedTimeRemainingKey`, or the text of `.pauseTextKey`. The progress is read on the current thread. The
    /// row doesn't change with it, so create the row anew in the closure of
    /// ``TerminalIndicator/init(style:_:rows:idleRow:)``.
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
        if let text = progress.userInfo[.pauseTextKey] as? String { (rate, time) = (rate.map { _ in "" }, text) }
    }

    init?(_ name: String, pauseOf progress: Progress) {
        if progress.userInfo[.pauseTextKey] == nil || progress.isFinished { return nil }
        self.init(name, progress: progress)
    }
}
