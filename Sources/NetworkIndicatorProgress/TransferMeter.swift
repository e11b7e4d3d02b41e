public import Foundation
import NetworkIndicator
public import Observation

/// Combines the progress of any number of transfers: bytes, rate, and time left.
///
/// For each tracked download or upload, begin a transfer, and pass its `receive` method as `onEvent`. For other
/// transfers, call ``Transfer/update(_:)`` and ``Transfer/finish()``:
///
/// ```swift
/// let meter = TransferMeter()
/// let transfer = meter.beginTransfer(label: "archive.zip")
/// defer { transfer.finish() }
/// transfer.update(
///     TransferProgress(completedBytes: 24_100_000, totalBytes: 62_600_000))
/// print(meter)  // 24.1 of 62.6 MB, 13 MB/s, 3 s left
/// ```
///
/// **Busy periods.** The numbers cover one busy period, which lasts while at least one transfer is open. They include
/// the transfers that have ended during the period. The last numbers remain until the next transfer begins a new
/// period.
///
/// **Batches.** Begin all transfers of a batch before the first one starts. The size of a transfer without a total
/// counts as twice its bytes so far, plus the average of the known sizes. The total and the fraction are unknown if at
/// most half of the sizes are known, or if all known sizes are 0 and others are missing.
///
/// **The fraction** is 1 only if all transfers are complete. It decreases if a transfer starts over, or if the total
/// grows. A display that must not move backwards keeps its largest value.
///
/// **Failures.** A transfer that ends without all its bytes stays incomplete: the total still includes the missing
/// bytes, but the time left doesn't. If its size is unknown, the estimate stays in the total. A transfer that ends
/// before it has started doesn't count. If the size of a transfer becomes known only at its end, update the transfer
/// with the total before you finish it. Tracked requests do so.
///
/// **Observation.** On the main actor, you can observe the meter and its transfers, for example in a SwiftUI view.
/// Observers are notified at most ten times a second, up to 100 ms after a transfer has changed. Rates and times that
/// change while no transfer does, such as ``TransferStatus/stalledTime``, cause no notification. Until the meter is
/// read again, observation doesn't use the main thread. Apple's progress views show the ``progress`` instead.
///
/// All calls are thread-safe. Methods that begin or change a transfer take amortized constant time. Reading the meter's
/// numbers takes time proportional to the number of open transfers, and changes nothing.
public final class TransferMeter: Sendable, Observable, CustomStringConvertible {
    struct State {
        var totals = TransferTotals()
        /// Whether the meter has been read since the last notification. Otherwise, it has no observers.
        var isRead = false
        /// Whether a transfer has changed since a reader noted its state.
        var isNotificationDue = false
        /// The key is `nil` for all transfers.
        var progress: [UInt64?: Progress] = [:]
        var isTickScheduled = false
        var isCheckScheduled = false

        mutating func takeTick() -> Bool {
            if isTickScheduled || progress.isEmpty && !isRead { return false }
            isTickScheduled = true
            return true
        }

        mutating func takeCheck() -> Bool {
            if isCheckScheduled || progress.isEmpty || !totals.isRunning { return false }
            isCheckScheduled = true
            return true
        }
    }

    let state = Lock(State())
    let clock: any Clock<Duration>
    let now: @Sendable () -> Duration
    private let scheduler: any ActivityScheduler
    private let registrar = ObservationRegistrar()

    /// Creates a meter without transfers.
    ///
    /// - Parameter clock: The clock for measuring rates and times. If it is the `ManualScheduler` of a test, it also
    ///   schedules the notifications of observers and the changes of ``progress``.
    public init(clock: any Clock<Duration> = SuspendingClock()) {
        self.clock = clock
        now = clock.stopwatch()
        scheduler = clock as? any ActivityScheduler ?? MainScheduler()
    }

    private func read<R>(_ body: (TransferTotals, Duration) -> R) -> R {
        registrar.access(self, keyPath: \.status)
        let now = now()
        return state.withLock { state in
            state.isRead = true
            return body(state.totals, now)
        }
    }

    /// - Parameter body: Returns `nil` if nothing has changed, so that observers aren't notified.
    @discardableResult private func change<R>(_ body: (inout TransferTotals, Duration) -> R?) -> R? {
        let now = now()
        let (result, needsTick) = state.withLock { state in
            guard let result = body(&state.totals, now) else { return (R?.none, false) }
            state.isNotificationDue = state.isRead
            return (result, state.takeTick())
        }
        if needsTick { scheduleTick() }
        return result
    }

    /// A program can release the meter after the last transfer, so a tick retains the meter.
    private func scheduleTick(isCheck: Bool = false) {
        scheduler.performOnMain { [self] in
            let time = scheduler.now.advanced(by: isCheck ? .seconds(1) : .milliseconds(100))
            _ = scheduler.schedule(at: time, repeatingEvery: nil) { self.tick(isCheck: isCheck) }
        }
    }

    /// Changes the `Progress` objects, and notifies observers if a transfer has changed. While transfers are open that
    /// have started, their rates and times change, so the objects are checked once a second.
    @MainActor
    private func tick(isCheck: Bool) {
        let now = now()
        let (statuses, isNotificationDue) = state.withLock { state in
            if isCheck { state.isCheckScheduled = false } else { state.isTickScheduled = false }
            // A notification that is due has a tick of its own.
            let isNotificationDue = state.isNotificationDue && !isCheck
            if isNotificationDue { (state.isNotificationDue, state.isRead) = (false, false) }
            let statuses = state.progress.map { id, progress in (progress, state.totals.status(of: id, at: now)) }
            return (statuses, isNotificationDue)
        }
        for case (let progress, let status?) in statuses { progress.show(status) }
        if state.withLock({ $0.takeCheck() }) { scheduleTick(isCheck: true) }
        // The mutation is empty, because the transfers have already changed.
        if isNotificationDue { registrar.withMutation(of: self, keyPath: \.status) {} }
    }

    func progress(of id: UInt64?, in file: URL?) -> Progress {
        let (now, new) = (now(), Progress(parent: nil))
        (new.kind, new.totalUnitCount) = (.file, -1)
        new.set(file, for: .fileURLKey)
        let (progress, needsTick) = state.withLock { state in
            if let progress = state.progress[id] { return (progress, false) }
            // The new object has no observers yet, so no other code runs here.
            if let status = state.totals.status(of: id, at: now) { new.show(status) }
            state.progress[id] = new
            return (new, state.takeTick())
        }
        if needsTick { scheduleTick() }
        return progress
    }

    /// Adds a transfer, which is open until it is finished.
    ///
    /// - Parameters:
    ///   - label: The name of the transfer in its ``TransferStatus``. The default is the name of the file.
    ///   - file: The file that is transferred, for the `fileURL` of ``Transfer/progress``.
    ///   - completedBytes: The number of bytes received earlier, if the transfer resumes a download. The rate excludes
    ///     these bytes. A negative number counts as zero.
    /// - Returns: The transfer, which also finishes when it is deallocated.
    public func beginTransfer(label: String? = nil, file: URL? = nil, completedBytes: Int64 = 0) -> Transfer {
        let label = label ?? file?.lastPathComponent
        return Transfer(
            id: change { $0.begin(label: label, completedBytes: completedBytes, at: $1) }!, meter: self, file: file)
    }

    /// All numbers, measured at the same moment.
    public var status: TransferStatus { read { $0.status(at: $1) } }

    /// The progress of all transfers from 0 to 1, or `nil` while it is unknown and while no transfer is open.
    ///
    /// Indicators use this property, because the fraction of ``status`` remains after the last transfer, and would then
    /// appear as the progress of other requests.
    public var fractionCompleted: Double? { read { $0.open.isEmpty ? nil : $0.status(at: $1).fractionCompleted } }

    /// Returns the statuses of the transfers with the longest estimated time left, in the order in which they began.
    ///
    /// The result includes only open transfers that have started. Transfers that are stalled, or whose estimate would
    /// be 100 hours or more, count as the slowest. Other transfers whose rate or total is unknown count as the fastest.
    ///
    /// - Parameter limit: The largest number of transfers to return. A negative number counts as zero.
    /// - Complexity: O(*n* log *n*), where *n* is the number of open transfers that have started.
    public func slowestTransfers(limit: Int) -> [TransferStatus] { read { $0.slowest(limit, at: $1) } }

    /// Why no bytes are transferred: `offline`, or the time until the earliest attempt, such as `waiting, 5 s`.
    ///
    /// The text is `nil` unless at least one open transfer waits according to its last event, and no other transfer
    /// that has started is open. The transfer's `receive` method applies such events.
    public var waitingText: String? { read { $0.waitingText(at: $1) } }

    /// The known numbers as text, such as `24.1 of 62.6 MB, 13 MB/s, 3 s left`.
    public var description: String { status.description }
}

extension TransferMeter {
    /// One download or upload in a ``TransferMeter``. All calls are thread-safe, and have no effect after the transfer
    /// has ended.
    public final class Transfer: Sendable {
        let id: UInt64
        let meter: TransferMeter
        let file: URL?

        fileprivate init(id: UInt64, meter: TransferMeter, file: URL?) {
            self.id = id
            self.meter = meter
            self.file = file
        }

        deinit {
            finish()
            _ = meter.state.withLock { $0.progress.removeValue(forKey: id) }
        }

        /// Marks the transfer as started. Unless bytes have been transferred since the transfer began or last started
        /// over, this method also restarts the measurement of its rate and elapsed time. Call this method when a
        /// transfer that was begun in advance makes its first attempt.
        public func start() { meter.change { $0.open[id]?.start(at: $1) } }

        /// Replaces the progress of this transfer, and marks the transfer as started.
        ///
        /// If the number of bytes has decreased, the transfer starts over, and the measurement of its rate restarts.
        ///
        /// - Parameter progress: The total progress of the transfer, not the difference since the last call.
        public func update(_ progress: TransferProgress) { meter.change { $0.update(id, progress, at: $1) } }

        /// Marks the transfer as waiting for its next attempt, or for a network if the delay is `nil`.
        package func wait(_ delay: Duration?) {
            meter.change { totals, now in
                totals.open[id]?.phase = delay.map { .retrying(at: now + $0) } ?? .offline
            }
        }

        /// Notes that a response begins, so that the bytes of the next update were received earlier.
        package func beginResponse() { meter.change { totals, _ in totals.open[id]?.isResponseNew = true } }

        /// Ends the transfer. If bytes are missing, the transfer has failed, and the meter no longer expects these
        /// bytes.
        public func finish() {
            let last = meter.change { $0.finish(id, at: $1) }
            guard let last, let progress = meter.state.withLock({ $0.progress[id] }) else { return }
            meter.scheduler.performOnMain { progress.show(last, isOver: true) }
        }

        /// The progress, rate and time left of this transfer, or `nil` after it has ended.
        public var status: TransferStatus? { meter.read { $0.status(of: id, at: $1) } }
    }
}
