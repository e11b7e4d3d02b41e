import Foundation
import NetworkIndicator

struct TransferTotals {
    struct Transfer {
        let label: String?
        var start: Duration
        var lastArrival: Duration
        var progress: TransferProgress
        var rate: TransferRate
        var isStarted = false
        var isWaiting = false
        /// Whether a response has just begun, so that all bytes of the next update come from earlier responses.
        var isResponseNew = false
        var retryTime: Duration?
        var offlineSince: Duration?

        var completed: Double { Double(progress.completedBytes) }
        var isPending: Bool { progress.totalBytes == nil && !rate.hasBytes }

        mutating func start(at now: Duration) {
            (isStarted, isWaiting, lastArrival) = (true, false, now)
            if !rate.hasBytes { (start, rate) = (now, TransferRate(start: now)) }
        }

        mutating func wait(until retryTime: Duration?, at now: Duration) {
            (isStarted, isWaiting, self.retryTime) = (true, true, retryTime)
            offlineSince = retryTime == nil ? offlineSince ?? now : nil
        }

        /// - Returns: The number of bytes that count for the rate.
        mutating func update(_ new: TransferProgress, at now: Duration) -> Int64 {
            let change = new.completedBytes - progress.completedBytes
            let received = isResponseNew ? min(0, change) : change
            if change != 0 || isResponseNew { lastArrival = now }
            rate.add(received, at: now)
            (isStarted, isWaiting, offlineSince, isResponseNew) = (true, false, nil, false)
            progress = new
            return received
        }

        func stalledTime(at now: Duration) -> Duration? {
            isStarted && !progress.isComplete && now - lastArrival >= .seconds(5) ? now - lastArrival : nil
        }

        /// In seconds. The time is infinite for a stalled transfer, and negative if it is unknown.
        func timeLeft(at now: Duration) -> Double {
            if stalledTime(at: now) != nil { return .infinity }
            if progress.isComplete { return 0 }
            guard let total = progress.totalBytes, let rate = rate.bytesPerSecond else { return -1 }
            return (Double(total) - completed) / rate
        }

        func status(at now: Duration) -> TransferStatus {
            var status = TransferStatus(
                label: label, completedBytes: progress.completedBytes, totalBytes: progress.totalBytes,
                bytesPerSecond: progress.isComplete ? rate.average : rate.bytesPerSecond,
                estimatedTimeRemaining: Duration(timeLeft: timeLeft(at: now)), elapsedTime: max(.zero, now - start),
                stalledTime: stalledTime(at: now))
            status.isWaiting = isWaiting
            return status
        }
    }

    var open: [UInt64: Transfer] = [:]
    private var nextID: UInt64 = 0
    private var completed: [(id: UInt64, status: TransferStatus, end: Duration)] = []

    // These properties cover the current busy period.
    private var began: Duration = .zero
    private var ended: Duration = .zero
    private var rate = TransferRate(start: .zero)
    private var endedBytes = 0.0
    /// The bytes that transfers with a known size lacked when they ended.
    private var missingBytes = 0.0
    private var knownSizes = 0
    /// The number of transfers that ended without a size and without bytes.
    private var unknownSizes = 0
    private var endedWithoutTotal = false

    mutating func begin(label: String?, completedBytes: Int64, at now: Duration) -> UInt64 {
        if open.isEmpty {
            self = TransferTotals(nextID: nextID, completed: completed, began: now, rate: TransferRate(start: now))
        }
        defer { nextID += 1 }
        open[nextID] = Transfer(
            label: label, start: now, lastArrival: now, progress: TransferProgress(completedBytes: completedBytes),
            rate: TransferRate(start: now))
        return nextID
    }

    // The following methods return `nil` if the transfer has ended.

    mutating func start(_ id: UInt64, at now: Duration) -> Void? {
        guard open[id]?.start(at: now) != nil else { return nil }
        return rate.add(0, at: now)
    }

    mutating func update(_ id: UInt64, _ progress: TransferProgress, at now: Duration) -> Void? {
        guard let received = open[id]?.update(progress, at: now) else { return nil }
        return rate.add(max(0, received), at: now)
    }

    mutating func finish(_ id: UInt64, at now: Duration) -> Void? {
        guard let transfer = open.removeValue(forKey: id) else { return nil }
        ended = now
        guard transfer.isStarted else { return () }
        endedBytes += transfer.completed
        if let total = transfer.progress.totalBytes {
            knownSizes += 1
            missingBytes += Double(total) - transfer.completed
        } else if transfer.rate.hasBytes {
            endedWithoutTotal = true
        } else {
            unknownSizes += 1
        }
        // The limit keeps the time of this method constant.
        if transfer.progress.isComplete { completed = completed.suffix(99) + [(id, transfer.status(at: now), now)] }
        return ()
    }

    // MARK: Numbers

    func status(at time: Duration) -> TransferStatus {
        let now = open.isEmpty ? ended : time
        let sizes = open.values.compactMap(\.progress.totalBytes)
        let pending = open.values.count { $0.isPending }
        let count = knownSizes + sizes.count
        let announced = sizes.reduce(endedBytes + missingBytes) { $0 + Double($1) }
        let average = announced / Double(max(1, count))
        func expected(_ transfer: Transfer) -> Double {
            transfer.progress.totalBytes.map { Double($0) } ?? max(average, 2 * transfer.completed)
        }
        // At first, the size of one transfer says little about the sizes of others that are about to arrive.
        let isEarly = now - began < .seconds(1) && open.values.contains { $0.isPending && $0.isStarted }
        let isEstimated = pending + unknownSizes > 0
        let isKnown =
            sizes.count + pending == open.count && count > pending && (announced > 0 || !isEstimated) && !isEarly
            && !endedWithoutTotal
        let total = open.values.reduce(endedBytes + missingBytes + Double(unknownSizes) * average) { $0 + expected($1) }
        let isOver = open.values.allSatisfy(\.progress.isComplete)
        let rate = isOver ? rate.average : rate.bytesPerSecond
        return TransferStatus(
            completedBytes: Int64(exactly: open.values.reduce(endedBytes) { $0 + $1.completed }) ?? .max,
            totalBytes: isKnown ? Int64(exactly: total.rounded(.up)) ?? .max : nil,
            isTotalEstimated: isKnown && isEstimated, bytesPerSecond: rate,
            estimatedTimeRemaining: isKnown ? Duration(timeLeft: timeLeft(rate, at: now, expected)) : nil,
            elapsedTime: max(.zero, now - began), stalledTime: isOver ? nil : stalledTime(at: now))
    }

    private func stalledTime(at now: Duration) -> Duration? {
        let lastArrival = open.values.lazy.filter(\.isStarted).map(\.lastArrival).max()
        return lastArrival.flatMap { now - $0 >= .seconds(5) ? now - $0 : nil }
    }

    private func timeLeft(_ rate: Double?, at now: Duration, _ expected: (Transfer) -> Double) -> Double {
        let missing = open.values.reduce(0) { $0 + expected($1) - $1.completed }
        guard missing > 0 else { return 0 }
        // The first estimates of a transfer are far from the truth, and must not determine the total time.
        let slowest = open.values.lazy.filter { $0.rate.measuredTime >= 2.5 || $0.stalledTime(at: now) != nil }
            .map { $0.timeLeft(at: now) }.max()
        return rate.map { max(missing / $0, slowest ?? 0) } ?? -1
    }

    // MARK: Rows

    /// Whether a transfer has just ended with all its bytes. It remains among the slowest ones, so that readers see it
    /// complete.
    func hasRecent(at now: Duration) -> Bool { completed.contains { now - $0.end < .milliseconds(500) } }

    func slowest(_ limit: Int, at now: Duration) -> [TransferStatus] {
        let recent = completed.filter { now - $0.end < .milliseconds(500) }.map { (id: $0.id, time: 0.0, $0.status) }
        let rows = recent + open.filter(\.value.isStarted).map { ($0, $1.timeLeft(at: now), $1.status(at: now)) }
        return rows.sorted { ($1.time, $0.id) < ($0.time, $1.id) }
            .prefix(max(0, limit)).sorted { $0.id < $1.id }.map(\.2)
    }

    func waitingText(at now: Duration) -> String? {
        let started = open.values.filter(\.isStarted)
        guard !started.isEmpty, started.allSatisfy(\.isWaiting) else { return nil }
        let time = now - (started.compactMap(\.offlineSince).min() ?? now)
        let next = started.compactMap(\.retryTime).min().map { max(.seconds(1), $0 - now).text() }
        return (started.count == 1 ? "" : "\(started.count) transfers ")
            + (next.map { "waiting, next attempt in \($0)" }
                ?? "offline for \(time.text(rounded: .down)), waiting for the network")
    }
}

extension Duration {
    fileprivate init?(timeLeft seconds: Double) {
        guard (0..<100 * 3600).contains(seconds) else { return nil }
        self = .seconds(seconds)
    }
}

struct TransferRate {
    /// In seconds. After five seconds, bytes have about a seventh of their initial weight.
    private static let timeConstant = 2.5

    private let start: Duration
    private var last: Duration
    private var bytes = 0.0
    private var weight = 0.0
    /// In seconds, like `pause`. Unlike the time between `start` and `last`, this time contains no exceptional pauses.
    private(set) var measuredTime = 0.0
    /// The longest pause. It decays, so that a pause long ago isn't expected again.
    private var pause = 0.0

    init(start: Duration) { (self.start, last) = (start, start) }

    var hasBytes: Bool { bytes > 0 }

    /// - Parameter count: The number of bytes since the last call. A negative number restarts the measurement. Before
    ///   the first byte, zero restarts it, too.
    mutating func add(_ count: Int64, at now: Duration) {
        if count < 0 || (count == 0 && !hasBytes) { self = TransferRate(start: now) }
        guard count > 0 else { return }
        let silence = max(0, (now - last).timeInterval)
        // A single long pause says nothing about the future, so it counts as one second.
        let time = min(silence, max(1, pause))
        pause = max(silence, pause * exp(-time / 10))
        let decay = time / Self.timeConstant
        // The bytes count as if they had arrived at a constant rate.
        weight = weight * exp(-decay) + Double(count) * (decay > 0 ? -expm1(-decay) / decay : 1)
        measuredTime += time
        (last, bytes) = (now, bytes + Double(count))
    }

    /// The rate at the time of the last bytes, so that the estimated time left stands still during a pause.
    var bytesPerSecond: Double? {
        // Over a shorter time, the first chunk of a transfer would give a rate that is far too high.
        guard measuredTime >= 0.25 else { return nil }
        // The divisor is the weight that a constant rate of one byte per second would have accumulated.
        return weight / (Self.timeConstant * -expm1(-measuredTime / Self.timeConstant))
    }

    /// The average, including all pauses.
    var average: Double? { last - start < .milliseconds(250) ? nil : bytes / (last - start).timeInterval }
}
