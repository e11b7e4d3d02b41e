import NetworkIndicator

/// Combines the progress of any number of transfers: bytes, rate, and time left.
///
/// Begin a transfer for each download or upload. Update the transfer with the progress that its events report, and
/// finish it:
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
/// the transfers that have ended during this period. After the period, the numbers keep their last values. The next
/// transfer begins a new busy period, with all numbers at zero.
///
/// **Batches.** Begin all transfers of a batch before the first transfer starts. Call ``Transfer/start()`` when each
/// transfer starts. The meter assumes that transfers whose size isn't known yet are of average size. Without this
/// assumption, the fraction would be too large until the last transfer has started. The fraction is unknown until more
/// than half of the transfers have announced their sizes. In the first second of the busy period, the fraction is also
/// unknown until all started transfers have announced their sizes. The fraction is also unknown while a transfer
/// without a total receives bytes.
///
/// **The fraction never decreases** during a busy period, unless a transfer starts over. If a newly announced total
/// makes the fraction too large, the fraction keeps its value. It then grows linearly to 1 as the remaining bytes
/// arrive. Until then, it is larger than `completedBytes` divided by `totalBytes`.
///
/// All calls are thread-safe. Updating takes constant time and acquires one lock. Reading acquires one lock, and takes
/// time proportional to the number of open transfers that have started.
public final class TransferMeter: Sendable, CustomStringConvertible {
    private let totals = Lock(TransferTotals())
    private let now: @Sendable () -> Duration

    /// Creates a meter without transfers.
    ///
    /// - Parameter clock: The clock for measuring rates and times.
    public convenience init(clock: some Clock<Duration> = SuspendingClock()) {
        let start = clock.now
        self.init { start.duration(to: clock.now) }
    }

    init(now: @escaping @Sendable () -> Duration) {
        self.now = now
    }

    /// Calls a function with the totals and the current time, while the lock is held.
    private func use<R>(_ body: (inout TransferTotals, Duration) -> R) -> R {
        let now = now()
        return totals.withLock { body(&$0, now) }
    }

    /// Adds a transfer, which is open until it is finished.
    ///
    /// - Parameters:
    ///   - label: The name of the transfer in ``slowestTransfers(_:)``, such as a file name.
    ///   - completedBytes: The number of bytes that an earlier transfer received, if this transfer resumes it. The rate
    ///     excludes these bytes. The default is 0.
    /// - Returns: The transfer, which also finishes when it is deallocated.
    public func beginTransfer(label: String? = nil, completedBytes: Int64 = 0) -> Transfer {
        Transfer(id: use { $0.begin(label: label, completedBytes: completedBytes, at: $1) }, meter: self)
    }

    /// All numbers at the same moment. If you need consistent numbers, read them from one status.
    public var status: TransferStatus { use { $0.status(at: $1) } }

    /// The open transfers with the longest estimated time left, in the order in which they began.
    ///
    /// A stalled transfer counts as slower than all others. A transfer whose rate or total is unknown counts as faster
    /// than all others. The result excludes transfers that haven't started.
    ///
    /// - Parameter maximum: The largest number of transfers to return.
    /// - Complexity: O(*n* log *n*), where *n* is the number of open transfers that have started.
    public func slowestTransfers(_ maximum: Int) -> [TransferStatus] {
        use { $0.slowest(maximum, at: $1) }
    }

    /// The number of bytes that have been transferred in this busy period.
    public var completedBytes: Int64 { status.completedBytes }

    /// The total number of bytes, or `nil` if it is unknown. See ``TransferStatus/totalBytes``.
    public var totalBytes: Int64? { status.totalBytes }

    /// The progress from 0 to 1, or `nil` while the total is unknown.
    public var fractionCompleted: Double? { status.fractionCompleted }

    /// The rate in bytes per second, smoothed over about five seconds, or `nil` if nothing has been measured yet.
    public var bytesPerSecond: Double? { status.bytesPerSecond }

    /// The estimated time until all bytes are transferred, or `nil` if no estimate is possible. See
    /// ``TransferStatus/estimatedTimeRemaining``.
    public var estimatedTimeRemaining: Duration? { status.estimatedTimeRemaining }

    /// The numbers as text, such as `24.1 of 62.6 MB, 13 MB/s, 3 s left`. Unknown parts are omitted.
    public var description: String { status.description }
}

extension TransferMeter {
    /// One download or upload of a ``TransferMeter``. All calls are thread-safe.
    public final class Transfer: Sendable {
        private let id: UInt64
        private let meter: TransferMeter

        fileprivate init(id: UInt64, meter: TransferMeter) {
            self.id = id
            self.meter = meter
        }

        deinit { finish() }

        /// Starts measuring the rate and the elapsed time.
        ///
        /// Call this for a transfer that was begun before its first attempt. If bytes have already arrived, the
        /// measurement continues.
        public func start() {
            meter.use { $0.start(id, at: $1) }
        }

        /// Replaces the progress of this transfer.
        ///
        /// If the progress has fewer bytes than before, the transfer starts over: its rate is measured again, and the
        /// meter's fraction decreases. After the transfer has ended, this does nothing.
        ///
        /// - Parameter progress: The total progress of the transfer, not the difference since the last call.
        public func update(_ progress: TransferProgress) {
            meter.use { $0.update(id, progress, at: $1) }
        }

        /// Ends the transfer, whether it was completed, failed or was cancelled. This method is idempotent.
        ///
        /// The meter still counts the transferred bytes, but no longer expects the missing bytes.
        public func finish() {
            meter.use { $0.finish(id, at: $1) }
        }

        /// The progress, rate and time left of this transfer, or `nil` after it has ended.
        public var status: TransferStatus? { meter.use { $0.status(of: id, at: $1) } }
    }
}
