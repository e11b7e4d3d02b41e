import Foundation
import NetworkIndicator

struct TransferTotals {
    struct Transfer {
        /// In the order of importance for `waitingText(at:)`.
        enum Phase: Comparable {
            case running, retrying(at: Duration), offline, begun

            func waitingText(at now: Duration) -> String? {
                switch self {
                case .retrying(let time): "waiting, \(max(.seconds(1), time - now).text())"
                case .offline: "offline"
                case .running, .begun: nil
                }
            }
        }

        let label: String?
        var progress: TransferProgress
        var rate: TransferRate
        var phase = Phase.begun
        /// Whether a response has just begun, so that all bytes of the next update come from earlier responses.
        var isResponseNew = false

        var isStarted: Bool { phase != .begun }

        mutating func start(at now: Duration) {
            phase = .running
            if !rate.hasBytes { rate = TransferRate(start: now) }
        }

        /// - Returns: The number of bytes that count for the rate.
        mutating func update(_ new: TransferProgress, at now: Duration) -> Int64 {
            let change = new.completedBytes - progress.completedBytes
            let received = isResponseNew ? min(0, change) : change
            rate.add(received, at: now)
            (progress, phase, isResponseNew) = (new, .running, false)
            return received
        }

        func stalledTime(at now: Duration) -> Duration? {
            isStarted && !progress.isComplete && now - rate.last >= .stall ? now - rate.last : nil
        }

        /// In seconds. The time is infinite for a stalled transfer.
        func timeLeft(at now: Duration) -> Double? {
            if stalledTime(at: now) != nil { return .infinity }
            if progress.isComplete { return 0 }
            guard let total = progress.totalBytes, let rate = rate.bytesPerSecond else { return nil }
            return Double(total - progress.completedBytes) / rate
        }

        func status(at now: Duration) -> TransferStatus {
            var status = TransferStatus(
                label: label, completedBytes: progress.completedBytes, totalBytes: progress.totalBytes,
                bytesPerSecond: progress.isComplete ? rate.average(until: now) : rate.bytesPerSecond,
                estimatedTimeRemaining: Duration(timeLeft: timeLeft(at: now)),
                elapsedTime: max(.zero, now - rate.start), stalledTime: stalledTime(at: now))
            let silence = isStarted ? now - rate.last : .zero
            status.setPause(phase.waitingText(at: now), after: silence, isComplete: progress.isComplete)
            return status
        }
    }

    /// The sums of several transfers.
    private struct Sum {
        var completed = 0.0
        var missing = 0.0
        var sizes = 0.0
        var known = 0
        var unknown = 0

        mutating func add(_ progress: TransferProgress) {
            let (bytes, total) = (Double(progress.completedBytes), progress.totalBytes.map { Double($0) })
            completed += bytes
            // A transfer without a total is at most half complete.
            missing += total.map { $0 - bytes } ?? bytes
            sizes += total ?? 0
            if total == nil { unknown += 1 } else { known += 1 }
        }
    }

    var open: [UInt64: Transfer] = [:]
    private var nextID: UInt64 = 0

    // These properties cover the current busy period.
    private var ended: Duration = .zero
    private var rate = TransferRate(start: .zero)
    private var past = Sum()

    mutating func begin(label: String?, completedBytes: Int64, at now: Duration) -> UInt64 {
        if open.isEmpty { self = TransferTotals(nextID: nextID, rate: TransferRate(start: now)) }
        defer { nextID += 1 }
        open[nextID] = Transfer(
            label: label, progress: TransferProgress(completedBytes: completedBytes), rate: TransferRate(start: now))
        return nextID
    }

    /// - Returns: `nil` if the transfer has ended.
    mutating func update(_ id: UInt64, _ progress: TransferProgress, at now: Duration) -> Void? {
        guard let received = open[id]?.update(progress, at: now) else { return nil }
        return rate.add(max(0, received), at: now)
    }

    /// - Returns: The last status, or `nil` if the transfer has ended.
    mutating func finish(_ id: UInt64, at now: Duration) -> TransferStatus? {
        guard let transfer = open.removeValue(forKey: id) else { return nil }
        ended = now
        if transfer.isStarted { past.add(transfer.progress) }
        return transfer.status(at: now)
    }

    private var sum: Sum { open.values.reduce(into: past) { $0.add($1.progress) } }

    /// Whether a status can change although no transfer does.
    var isRunning: Bool { open.values.contains(where: \.isStarted) }

    func status(at time: Duration) -> TransferStatus {
        let (now, sum) = (open.isEmpty ? ended : time, sum)
        let average = sum.sizes / Double(max(1, sum.known))
        let isEstimated = sum.unknown > 0
        let isKnown = sum.known > sum.unknown && (average > 0 || !isEstimated)
        let total = sum.completed + sum.missing + average * Double(sum.unknown)
        let missing = sum.missing - past.missing + average * Double(sum.unknown - past.unknown)
        let isOver = open.values.allSatisfy(\.progress.isComplete)
        let rate = isOver ? rate.average(until: now) : rate.bytesPerSecond
        // The first estimates of a transfer are far from the truth, and must not determine the total time.
        let slowest =
            open.values.lazy.filter { $0.rate.measuredTime >= 2.5 || $0.stalledTime(at: now) != nil }
            .compactMap { $0.timeLeft(at: now) }.max() ?? 0
        let timeLeft = missing > 0 ? rate.map { max(missing / $0, slowest) } : 0
        let silence = now - (open.values.lazy.filter(\.isStarted).map(\.rate.last).max() ?? now)
        var status = TransferStatus(
            completedBytes: Int64(exactly: sum.completed) ?? .max,
            totalBytes: isKnown ? Int64(exactly: total.rounded(.up)) ?? .max : nil,
            isTotalEstimated: isKnown && isEstimated, bytesPerSecond: rate,
            estimatedTimeRemaining: isKnown ? Duration(timeLeft: timeLeft) : nil,
            elapsedTime: max(.zero, now - self.rate.start),
            stalledTime: isOver || silence < .stall ? nil : silence)
        status.setPause(waitingText(at: now), after: silence, isComplete: isOver)
        return status
    }

    /// - Parameter id: An open transfer, or `nil` for all transfers.
    func status(of id: UInt64?, at now: Duration) -> TransferStatus? {
        guard let id else { return status(at: now) }
        return open[id]?.status(at: now)
    }

    func slowest(_ limit: Int, at now: Duration) -> [TransferStatus] {
        let rows = open.filter(\.value.isStarted).map { (id: $0, time: $1.timeLeft(at: now) ?? -1, transfer: $1) }
        return rows.sorted { ($1.time, $0.id) < ($0.time, $1.id) }
            .prefix(max(0, limit)).sorted { $0.id < $1.id }.map { $0.transfer.status(at: now) }
    }

    func waitingText(at now: Duration) -> String? { open.values.lazy.map(\.phase).min()?.waitingText(at: now) }
}

extension TransferStatus {
    /// A shorter silence is part of most transfers, and of the end of most requests.
    fileprivate mutating func setPause(_ waitingText: String?, after silence: Duration, isComplete: Bool) {
        let isAwaited = isComplete && silence >= .seconds(1)
        self.waitingText = waitingText ?? (isAwaited ? "waiting for the response" : nil)
        isPaused = self.waitingText != nil || !isComplete && silence >= .seconds(2)
    }
}

extension Duration {
    fileprivate static let stall = Duration.seconds(5)

    fileprivate init?(timeLeft seconds: Double?) {
        guard let seconds, (0..<100 * 3600).contains(seconds) else { return nil }
        self = .seconds(seconds)
    }
}

struct TransferRate {
    /// In seconds. After five seconds, bytes have about a seventh of their initial weight.
    private static let timeConstant = 2.5

    let start: Duration
    private(set) var last: Duration
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
    func average(until now: Duration) -> Double? {
        now - start < .milliseconds(250) ? nil : bytes / (now - start).timeInterval
    }
}
