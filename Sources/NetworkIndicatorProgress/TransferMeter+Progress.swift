public import Foundation
import NetworkIndicator

extension TransferMeter {
    /// All transfers as Foundation's `Progress`, for views and systems that take one, such as `UIProgressView`,
    /// SwiftUI's `ProgressView` and `BGContinuedProcessingTask`.
    ///
    /// The object has the kind `.file`, and counts bytes. While the total is unknown, `totalUnitCount` is -1, and the
    /// progress is indeterminate. A complete transfer of zero bytes counts as one byte of one, because `Progress` would
    /// otherwise never count as finished.
    ///
    /// While they are known, these keys of `userInfo` have a value: `.throughputKey` (an `Int`, in bytes per second,
    /// but not while the transfer is stalled), `.estimatedTimeRemainingKey` (a `TimeInterval`), and `.fileURLKey` (for
    /// one transfer). The values have the meaning of those in ``TransferStatus``. If no progress is made,
    /// ``Foundation/ProgressUserInfoKey/pauseTextKey`` says why.
    ///
    /// The meter changes the object on the main actor, at most ten times a second, and up to 100 ms after a transfer
    /// has changed. While transfers are open that have started, the meter also updates the rates and times once a
    /// second. Until you first read this property, the meter does no work for it. Each call returns the same object,
    /// which outlives the meter.
    ///
    /// The meter doesn't know the calls whose events it receives. Cancelling the progress therefore only calls the
    /// `cancellationHandler`, in which you can cancel the Swift task of the call, as in the article
    /// <doc:/NetworkIndicatorTransfers/Requests-and-Downloads>.
    ///
    /// On Linux, `Progress` isn't thread-safe, so use this object only on the main actor, and don't add it to a parent.
    /// On any thread, you can read ``status`` instead.
    public var progress: Progress { progress(of: nil, in: nil) }
}

extension TransferMeter.Transfer {
    /// This transfer as Foundation's `Progress`. It has the properties of ``TransferMeter/progress``, and keeps its
    /// last values when the transfer ends.
    public var progress: Progress { meter.progress(of: id, in: file) }
}

extension ProgressUserInfoKey {
    /// Why no progress is made, as text: `waiting, 8 s`, `offline`, `stalled 9 s` or `waiting for the response`.
    ///
    /// A `TransferMeter` sets this key, and a terminal's row shows the text. You can set the key in a `Progress` of
    /// your own.
    public static let pauseTextKey = ProgressUserInfoKey("NetworkIndicator.pauseText")
}

extension Progress {
    func show(_ status: TransferStatus, isOver: Bool = false) {
        let (completed, total) = status.totalBytes == 0 ? (1, 1) : (status.completedBytes, status.totalBytes ?? -1)
        #if canImport(FoundationNetworking)
        // On Linux, the arithmetic of `Progress` traps after some changes from one known total to another.
        if total != totalUnitCount { totalUnitCount = -1 }
        #endif
        // With this order, the progress isn't finished between the changes.
        if completed < completedUnitCount { completedUnitCount = completed }
        if total != totalUnitCount { totalUnitCount = total }
        if completed != completedUnitCount { completedUnitCount = completed }
        let rate = status.stalledTime == nil ? status.bytesPerSecond : nil
        set(rate.map { Int(clamping: Int64(min($0.rounded(), 1e18))) }, for: .throughputKey)
        set(status.estimatedTimeRemaining?.timeInterval, for: .estimatedTimeRemainingKey)
        set(isOver ? nil : status.pauseText, for: .pauseTextKey)
    }

    /// An equal value would also notify observers.
    func set<Value: Equatable>(_ value: Value?, for key: ProgressUserInfoKey) {
        if userInfo[key] as? Value != value { setUserInfoObject(value, forKey: key) }
    }
}
