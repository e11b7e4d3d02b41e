struct TransferTotals {
    private struct Transfer {
        let label: String?
        var start: Duration
        var progress: TransferProgress
        var rate: TransferRate
        var lastArrival: Duration
        var wait: Wait?
        var offlineSince: Duration?
    }

    private struct Wait {
        /// `nil` while the transfer is offline.
        let end: Duration?
    }

    private var open: [UInt64: Transfer] = [:]
    private var nextID: UInt64 = 0

    private var started: Set<UInt64> = []

    // The sums include the transfers that have ended during the current busy period.
    private var began: Duration = .zero
    private var ended: Duration = .zero
    private var completedBytes = ByteSum()
    private var announcedBytes = ByteSum()
    private var announcedCount = 0
    private var pendingCount = 0
    /// The number of pending transfers that have started.
    private var startedCount = 0
    private var unannouncedCount = 0
    private var rate = TransferRate(from: .zero)
    private var lastArrival: Duration = .zero
    private var fraction = 0.0
    private var isFractionKnown = false

    private static let responseTimeout: Duration = .seconds(1)

    mutating func begin(label: String?, completedBytes: Int64, at now: Duration) -> UInt64 {
        if open.isEmpty {
            self = TransferTotals(nextID: nextID)
            (began, lastArrival) = (now, now)
        }
        let transfer = Transfer(
            label: label, start: now, progress: TransferProgress(completedBytes: completedBytes),
            rate: TransferRate(from: now), lastArrival: now)
        if !rate.hasBytes { rate = TransferRate(from: now) }
        let id = nextID
        nextID += 1
        open[id] = transfer
        count(transfer, 1, id)
        updateFraction(from: self.completedBytes.value, at: now)
        return id
    }

    mutating func start(_ id: UInt64, at now: Duration) {
        guard var transfer = open[id] else { return }
        transfer.wait = nil
        count(transfer, -1, id)
        started.insert(id)
        count(transfer, 1, id)
        (transfer.lastArrival, lastArrival) = (now, now)
        if !transfer.rate.hasBytes {
            transfer.start = now
            transfer.rate = TransferRate(from: now)
        }
        open[id] = transfer
        if !rate.hasBytes { rate = TransferRate(from: now) }
    }

    mutating func wait(_ id: UInt64, until end: Duration?, at now: Duration) {
        guard open[id] != nil else { return }
        open[id]!.wait = Wait(end: end)
        open[id]!.offlineSince = end == nil ? open[id]!.offlineSince ?? now : nil
    }

    mutating func endWait(_ id: UInt64) {
        open[id]?.wait = nil
        open[id]?.offlineSince = nil
    }

    func waitingText(at now: Duration) -> String? {
        let waiting = started.compactMap { open[$0]!.wait }
        guard !waiting.isEmpty, waiting.count == started.count else { return nil }
        let transfers = waiting.count == 1 ? "" : "\(waiting.count) transfers "
        if let next = waiting.compactMap(\.end).min() {
            return "\(transfers)waiting, next attempt in \(max(.zero, next - now).text())"
        }
        let since = started.compactMap { open[$0]!.offlineSince }.min() ?? now
        return "\(transfers)offline for \((now - since).text(rounded: .down)), waiting for the network"
    }

    mutating func update(_ id: UInt64, _ progress: TransferProgress, at now: Duration) {
        guard var transfer = open[id] else { return }
        let completedBefore = completedBytes.value
        let received = progress.completedBytes - transfer.progress.completedBytes
        count(transfer, -1, id)
        started.insert(id)
        (transfer.wait, transfer.offlineSince) = (nil, nil)
        transfer.progress = progress
        if received != 0 { (transfer.lastArrival, lastArrival) = (now, now) }
        if received < 0 {
            rate.remove(transfer.rate, at: now)
            transfer.rate = TransferRate(from: now)
        } else if !progress.isStart {
            rate.add(received, at: now)
            transfer.rate.add(received, at: now)
        }
        open[id] = transfer
        count(transfer, 1, id)
        if received < 0 { fraction = 0 }
        updateFraction(from: min(completedBefore, completedBytes.value), at: now)
    }

    mutating func finish(_ id: UInt64, at now: Duration) {
        guard var transfer = open.removeValue(forKey: id) else { return }
        count(transfer, -1, id)
        started.remove(id)
        let received = transfer.progress.completedBytes
        if transfer.progress.totalBytes != nil || received > 0 {
            transfer.progress = TransferProgress(completedBytes: received, totalBytes: received)
            count(transfer, 1, id)
        }
        updateFraction(from: completedBytes.value, at: now)
        ended = now
    }

    func status(at now: Duration) -> TransferStatus {
        let total = estimatedTotal
        return TransferStatus(
            completedBytes: completedBytes.bytes, totalBytes: total.map { $0 < 0x1p63 ? Int64($0.rounded()) : .max },
            isTotalEstimated: total != nil && pendingCount > 0,
            fractionCompleted: total != nil && isFractionKnown ? fraction : nil,
            bytesPerSecond: rate.bytesPerSecond(at: open.isEmpty ? ended : now),
            elapsedTime: (open.isEmpty ? ended : now) - began, idleTime: open.isEmpty ? .zero : now - lastArrival,
            longestTimeRemaining: started.lazy.map { Self.remainingSeconds(status(of: $0, at: now)!) }.max())
    }

    func status(of id: UInt64, at now: Duration) -> TransferStatus? {
        guard let transfer = open[id] else { return nil }
        return TransferStatus(
            label: transfer.label, completedBytes: transfer.progress.completedBytes,
            totalBytes: transfer.progress.totalBytes, fractionCompleted: transfer.progress.fractionCompleted,
            bytesPerSecond: transfer.rate.bytesPerSecond(at: now), elapsedTime: now - transfer.start,
            idleTime: started.contains(id) ? now - transfer.lastArrival : .zero)
    }

    func slowest(_ maximum: Int, at now: Duration) -> [TransferStatus] {
        let timed = started.map { id in
            let status = status(of: id, at: now)!
            return (id: id, time: Self.remainingSeconds(status), status: status)
        }
        return timed.sorted { ($1.time, $0.id) < ($0.time, $1.id) }.prefix(max(0, maximum))
            .sorted { $0.id < $1.id }.map(\.status)
    }

    private static func remainingSeconds(_ status: TransferStatus) -> Double {
        if let time = status.estimatedTimeRemaining { return time / .seconds(1) }
        let isUnknown = status.bytesPerSecond == nil || status.totalBytes == nil
        return isUnknown && status.stalledTime == nil ? -1 : .infinity
    }

    private mutating func count(_ transfer: Transfer, _ sign: Int, _ id: UInt64) {
        let add: (inout ByteSum, Int64) -> Void = sign > 0 ? { $0 += $1 } : { $0 -= $1 }
        add(&completedBytes, transfer.progress.completedBytes)
        if let total = transfer.progress.totalBytes {
            add(&announcedBytes, total)
            announcedCount += sign
        } else if transfer.rate.hasBytes {
            unannouncedCount += sign
        } else {
            pendingCount += sign
            if started.contains(id) { startedCount += sign }
        }
    }

    private var estimatedTotal: Double? {
        let announced = announcedBytes.value
        guard announcedCount > pendingCount, unannouncedCount == 0, announced != 0 || pendingCount == 0 else {
            return nil
        }
        return announced + announced / Double(announcedCount) * Double(pendingCount)
    }

    private mutating func updateFraction(from completedBefore: Double, at now: Duration) {
        guard let total = estimatedTotal else { return }
        if !isFractionKnown {
            fraction = 0
            isFractionKnown = startedCount == 0 || now - began >= Self.responseTimeout
        }
        let completed = completedBytes.value
        guard completed < total else {
            fraction = 1
            return
        }
        let share = (completed - completedBefore) / (total - completedBefore)
        let advanced = fraction + (1 - fraction) * min(max(0, share), 1)
        let exact = completed / total
        // If the two values are nearly equal, `exact` is used, because rounding errors of `advanced` would accumulate.
        fraction = min(max(fraction, advanced - exact > 1e-9 ? advanced : exact), 1.0.nextDown)
    }
}
