import Dispatch
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
    /// but not while the transfer is stalled), `.estimatedTimeRemainingKey` (a `TimeInterval`), `.fileURLKey` (for one
    /// transfer), `.fileTotalCountKey` and `.fileCompletedCountKey` (for all transfers). The values have the meaning of
    /// those in ``TransferStatus``. If no progress is made, ``Foundation/ProgressUserInfoKey/pauseTextKey`` says why.
    ///
    /// The meter changes the object on a private queue, at most ten times a second, and up to 100 ms after a transfer
    /// has changed. Key-value observers are called on this queue. While transfers are open that have started, the meter
    /// also updates the rates and times once a second. Until you first read this property, the meter does no work for
    /// it. Each call returns the same object, which outlives the meter.
    ///
    /// The meter doesn't know the calls whose events it receives. Cancelling the progress therefore only calls the
    /// `cancellationHandler`, in which you can cancel the Swift task of the call, as in the article
    /// <doc:/NetworkIndicatorTransfers/Requests-and-Downloads>.
    ///
    /// On Linux, `Progress` isn't thread-safe. You can read the unit counts and `userInfo` of this object on any
    /// thread, but don't add it to a parent, which would change on the private queue.
    public var progress: Progress { progress(of: nil, in: nil) }

    fileprivate func progress(of id: UInt64?, in file: URL?) -> Progress {
        if let progress = state.withLock({ $0.progress[id] }) { return progress }
        let (now, new) = (now(), Progress.ofBytes(in: file))
        let (progress, isDue) = state.withLock { state in
            if let progress = state.progress[id] { return (progress, false) }
            // The new object has no observers yet, so no other code runs here.
            if let status = state.totals.status(of: id, at: now) { new.show(status) }
            new.setUserInfoObject(TransferSource(meter: self, id: id), forKey: .sourceKey)
            state.progress[id] = new
            return (new, state.takeReport())
        }
        if isDue { scheduleReport() }
        return progress
    }

    func scheduleReport() {
        // A program can release the meter after the last transfer.
        clock.schedule(after: .milliseconds(100), on: queue) { self.report { $0.isReportScheduled = false } }
    }

    private func report(_ begin: (inout State) -> Void) {
        let now = now()
        let (statuses, total, checks) = state.withLock { state in
            begin(&state)
            let statuses = state.progress.compactMap { id, progress in
                state.totals.status(of: id, at: now).map { (progress, $0) }
            }
            let total = state.progress[nil].map { ($0, state.totals.counts) }
            let checks = !state.progress.isEmpty && !state.isCheckScheduled && state.totals.isRunning
            if checks { state.isCheckScheduled = true }
            return (statuses, total, checks)
        }
        for (progress, status) in statuses { progress.show(status) }
        if let (progress, counts) = total {
            progress.set(counts.complete, for: .fileCompletedCountKey)
            progress.set(counts.all, for: .fileTotalCountKey)
        }
        guard checks else { return }
        clock.schedule(after: .seconds(1), on: queue) { [weak self] in self?.report { $0.isCheckScheduled = false } }
    }
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

    fileprivate static let sourceKey = ProgressUserInfoKey("NetworkIndicator.source")
}

private struct TransferSource {
    weak var meter: TransferMeter?
    let id: UInt64?
}

extension Progress {
    /// The current status of the meter or of the open transfer that this object belongs to. Reading it also observes
    /// the meter.
    package var transferStatus: TransferStatus? { source.flatMap { $0.meter?.currentStatus(of: $0.id) } }

    package var pauseText: String? {
        source == nil ? userInfo[.pauseTextKey] as? String : transferStatus?.pauseText
    }

    private var source: TransferSource? { userInfo[.sourceKey] as? TransferSource }

    fileprivate static func ofBytes(in file: URL?) -> Progress {
        #if canImport(FoundationNetworking)
        let progress = LockedProgress(parent: nil)
        #else
        let progress = Progress(parent: nil)
        #endif
        (progress.kind, progress.totalUnitCount) = (.file, -1)
        progress.set(file, for: .fileURLKey)
        return progress
    }

    func show(_ status: TransferStatus, isOver: Bool = false) {
        let (completed, total) = status.totalBytes == 0 ? (1, 1) : (status.completedBytes, status.totalBytes ?? -1)
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
    fileprivate func set<Value: Equatable>(_ value: Value?, for key: ProgressUserInfoKey) {
        if userInfo[key] as? Value != value { setUserInfoObject(value, forKey: key) }
    }
}

#if canImport(FoundationNetworking)
/// On Linux, `Progress` isn't thread-safe, and its arithmetic traps after some changes of the total.
///
/// `@unchecked Sendable`: the lock guards the state.
private final class LockedProgress: Progress, @unchecked Sendable {
    private let state = Lock((completed: Int64(0), total: Int64(0), info: [ProgressUserInfoKey: Any]()))

    override var completedUnitCount: Int64 {
        get { state.withLock(\.completed) }
        set { change(newValue, totalUnitCount) }
    }

    override var totalUnitCount: Int64 {
        get { state.withLock(\.total) }
        set { change(completedUnitCount, newValue) }
    }

    /// The fraction and the flags can't be overridden. They come from the numbers of the superclass, whose arithmetic
    /// is safe if the total is constant.
    private func change(_ completed: Int64, _ total: Int64) {
        state.withLock { ($0.completed, $0.total) = (completed, total) }
        super.totalUnitCount = total < 0 ? -1 : 1 << 30
        super.completedUnitCount = total <= 0 ? 0 : Int64(Double(completed) / Double(total) * 0x1p30)
    }

    override var userInfo: [ProgressUserInfoKey: Any] { state.withLock(\.info) }

    override func setUserInfoObject(_ object: Any?, forKey key: ProgressUserInfoKey) {
        let old = state.withLock { state in (state.info[key], state.info[key] = object).0 }
        withExtendedLifetime(old) {}
    }
}
#endif
