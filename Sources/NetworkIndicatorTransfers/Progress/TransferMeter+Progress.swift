import Dispatch
public import Foundation
import NetworkIndicator

extension TransferMeter {
    /// All transfers as Foundation's `Progress`, for views and systems that take one, such as `UIProgressView`,
    /// SwiftUI's `ProgressView` and `BGContinuedProcessingTask`.
    ///
    /// ```swift
    /// let meter = TransferMeter()
    /// let progress = meter.progress
    /// let transfer = meter.beginTransfer(label: "film.mp4")
    /// let download = Task {
    ///     try await URLSession.shared.trackedDownload(
    ///         from: url, to: destination, onEvent: transfer.receive)
    /// }
    /// progress.cancellationHandler = { download.cancel() }
    /// ```
    ///
    /// The object has the kind `.file`, and counts bytes. While the total is unknown, `totalUnitCount` is -1, and the
    /// progress is indeterminate. A complete transfer of zero bytes counts as one byte of one, because `Progress` would
    /// otherwise never count as finished.
    ///
    /// While they are known, these keys of `userInfo` have a value: `.throughputKey` (an `Int`, in bytes per second, but
    /// not while the transfer is stalled), `.estimatedTimeRemainingKey` (a `TimeInterval`), `.fileURLKey` (for one
    /// transfer), `.fileTotalCountKey` and `.fileCompletedCountKey` (for all transfers). The values have the meaning of
    /// those in ``TransferStatus``.
    ///
    /// The meter changes the object on a private queue, at most ten times a second, and up to 100 ms after a transfer
    /// has changed. Key-value observers are called on this queue. While transfers are running, the meter also updates
    /// the rates once a second. Until you first read this property, the meter does no work for it. Each call returns the
    /// same object, which outlives the meter.
    ///
    /// The meter doesn't know the calls whose events it receives. Cancelling the progress therefore only calls the
    /// `cancellationHandler`, in which you can cancel the Swift task of the call.
    ///
    /// On Linux, `Progress` isn't thread-safe, but this object is. A parent, for which you would call
    /// `addChild(_:withPendingUnitCount:)`, isn't updated there.
    public var progress: Progress {
        progress(file: nil) {
            $0.totals.status(at: $1)
        } place: { state, new in
            if state.progress == nil { state.progress = new }
            return state.progress
        }
    }

    /// - Parameter place: Stores the new object, if there is neither an old one nor `nil`, and returns the stored object.
    fileprivate func progress(
        file: URL?, _ status: (State, Duration) -> TransferStatus?, place: (inout State, Progress?) -> Progress?
    ) -> Progress {
        if let progress = state.withLock({ place(&$0, nil) }) { return progress }
        let now = now()
        let new = Progress.ofBytes(in: file)
        if let status = state.withLock({ status($0, now) }) { new.show(status) }
        let (progress, isDue) = state.withLock { state in
            state.isReported = true
            return (place(&state, new) ?? new, state.takeReport())
        }
        if isDue { scheduleReport() }
        return progress
    }

    func scheduleReport() {
        clock.schedule(after: .milliseconds(100), on: queue) { [weak self] in
            self?.report { $0.isReportScheduled = false }
        }
    }

    private func report(_ begin: (inout State) -> Void) {
        let now = now()
        let (statuses, total, checks) = state.withLock { state in
            begin(&state)
            let statuses = state.totals.takeReports(at: now)
            let total = state.progress.map { ($0, state.totals.status(at: now), state.totals.counts) }
            state.isReported = total != nil || !statuses.isEmpty
            let checks = state.isReported && !state.isCheckScheduled && state.totals.isRunning(at: now)
            if checks { state.isCheckScheduled = true }
            return (statuses, total, checks)
        }
        for (progress, status) in statuses { progress.show(status) }
        if let (progress, status, counts) = total {
            progress.show(status)
            progress.set(counts.complete, for: .fileCompletedCountKey)
            progress.set(counts.all, for: .fileTotalCountKey)
        }
        guard checks else { return }
        clock.schedule(after: .seconds(1), on: queue) { [weak self] in self?.report { $0.isCheckScheduled = false } }
    }
}

extension TransferMeter.Transfer {
    /// This transfer as Foundation's `Progress`. It has the properties of ``TransferMeter/progress``, and keeps its last
    /// values when the transfer ends.
    public var progress: Progress {
        meter.progress(file: file) { [id] in
            $0.totals.open[id]?.status(at: $1)
        } place: { [self] state, new in
            if knownProgress == nil {
                knownProgress = new
                state.totals.open[id]?.report = new
            }
            return knownProgress
        }
    }
}

extension Progress {
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

    fileprivate func show(_ status: TransferStatus) {
        let (completed, total) = status.totalBytes == 0 ? (1, 1) : (status.completedBytes, status.totalBytes ?? -1)
        // With this order, the progress isn't finished between the changes.
        if completed < completedUnitCount { completedUnitCount = completed }
        if total != totalUnitCount { totalUnitCount = total }
        if completed != completedUnitCount { completedUnitCount = completed }
        let rate = status.stalledTime == nil ? status.bytesPerSecond : nil
        set(rate.map { Int(clamping: Int64(min($0.rounded(), 1e18))) }, for: .throughputKey)
        set(status.estimatedTimeRemaining?.timeInterval, for: .estimatedTimeRemainingKey)
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
        set { change { $0.completed = newValue } }
    }

    override var totalUnitCount: Int64 {
        get { state.withLock(\.total) }
        set { change { $0.total = newValue } }
    }

    /// The fraction and the flags can't be overridden. They come from the numbers of the superclass, whose arithmetic is
    /// safe if the total is constant.
    private func change(_ body: (inout (completed: Int64, total: Int64, info: [ProgressUserInfoKey: Any])) -> Void) {
        let (completed, total) = state.withLock { state in
            body(&state)
            return (state.completed, state.total)
        }
        let units: Int64 = total < 0 ? -1 : 1 << 30
        let fraction = TransferProgress(completedBytes: completed, totalBytes: total).fractionCompleted ?? 0
        if super.totalUnitCount != units { super.totalUnitCount = units }
        super.completedUnitCount = Int64(fraction * Double(1 << 30))
    }

    override var userInfo: [ProgressUserInfoKey: Any] { state.withLock(\.info) }

    override func setUserInfoObject(_ object: Any?, forKey key: ProgressUserInfoKey) {
        let old = state.withLock { state in
            defer { state.info[key] = object }
            return state.info[key]
        }
        withExtendedLifetime(old) {}
    }
}
#endif
