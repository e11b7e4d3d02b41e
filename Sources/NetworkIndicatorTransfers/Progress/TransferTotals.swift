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

        mutating func update(_ new: TransferProgress, at now: Duration) {
            let received = new.completedBytes - progress.completedBytes
            (isStarted, isWaiting, offlineSince) = (true, false, nil)
            if received != 0 || isResponseNew { lastArrival = now }
            if received < 0 || (isResponseNew && !rate.hasBytes) { rate = TransferRate(start: now) }
            if !isResponseNew { rate.add(received, at: now) }
            (progress, isResponseNew) = (new, false)
        }

        func status(at now: Duration) -> TransferStatus {
            TransferStatus(
                label: label, completedBytes: progress.completedBytes, totalBytes: progress.totalBytes,
                isTotalEstimated: false, fractionCompleted: progress.fractionCompleted,
                bytesPerSecond: rate.bytesPerSecond(at: now, completedAt: progress.isComplete ? lastArrival : nil),
                elapsedTime: max(.zero, now - start), idleTime: isStarted ? now - lastArrival : .zero,
                longestTimeRemaining: 0)
        }
    }

    typealias Row = (id: UInt64, status: TransferStatus, end: Duration)

    var open: [UInt64: Transfer] = [:]
    private var nextID: UInt64 = 0
    /// Transfers that ended with all their bytes.
    private var completed: [Row] = []

    // These properties cover the current busy period.
    private var began: Duration = .zero
    private var ended: Duration = .zero
    private var finishedBytes = 0.0
    private var finishedCount = 0
    private var finishedRate = TransferRate(start: .zero)
    /// The fraction that was last read, and the completed bytes at that time.
    private var shown: (fraction: Double, completed: Double)?

    mutating func begin(label: String?, completedBytes: Int64, at now: Duration) -> UInt64 {
        if open.isEmpty { self = TransferTotals(nextID: nextID, completed: completed, began: now) }
        defer { nextID += 1 }
        open[nextID] = Transfer(
            label: label, start: now, lastArrival: now, progress: TransferProgress(completedBytes: completedBytes),
            rate: TransferRate(start: now))
        return nextID
    }

    mutating func finish(_ id: UInt64, at now: Duration) {
        guard let transfer = open.removeValue(forKey: id) else { return }
        finishedBytes += transfer.completed
        if transfer.progress != TransferProgress(completedBytes: 0) { finishedCount += 1 }
        finishedRate.add(transfer.rate, at: now)
        ended = now
        // The limit keeps the time of this method constant.
        if transfer.progress.isComplete { completed = completed.suffix(99) + [(id, transfer.status(at: now), now)] }
    }

    /// The transfers that remain among the slowest ones, so that readers see them complete.
    func recent(at now: Duration) -> [Row] { completed.filter { now - $0.end < .milliseconds(500) } }

    mutating func status(at time: Duration) -> TransferStatus {
        let (transfers, now) = (open.values, open.isEmpty ? ended : time)
        let (pending, sizes) = (transfers.filter(\.isPending), transfers.compactMap(\.progress.totalBytes))
        let completed = transfers.reduce(finishedBytes) { $0 + $1.completed }
        let announced = sizes.reduce(finishedBytes) { $0 + Double($1) }
        let count = sizes.count + finishedCount
        let isKnown =
            sizes.count + pending.count == open.count && count > pending.count && (announced > 0 || pending.isEmpty)
        let total = pending.reduce(announced) { $0 + max(announced / Double(count), 2 * $1.completed) }
        let isComplete = transfers.allSatisfy(\.progress.isComplete)
        if let shown, shown.completed > completed || (shown.fraction == 1 && !isComplete) { self.shown = nil }
        // At first, the size of one transfer says little about the sizes of others that are about to arrive.
        if isKnown, shown != nil || now - began >= .seconds(1) || !pending.contains(where: \.isStarted) {
            show(completed, of: total, isComplete: isComplete)
        }
        let lastArrival = transfers.lazy.filter(\.isStarted).map(\.lastArrival).max() ?? now
        let rate = transfers.reduce(into: finishedRate) { $0.add($1.rate, at: now) }
        // The first estimates of a transfer are far from the truth, and must not determine the total time.
        let measured = transfers.lazy.filter { $0.isStarted && $0.rate.seconds(at: now) >= 2.5 }
        return TransferStatus(
            label: nil, completedBytes: Int64(exactly: completed) ?? .max,
            totalBytes: isKnown ? Int64(exactly: total.rounded()) ?? .max : nil,
            isTotalEstimated: isKnown && !pending.isEmpty, fractionCompleted: isKnown ? shown?.fraction : nil,
            bytesPerSecond: rate.bytesPerSecond(at: now, completedAt: isComplete ? lastArrival : nil),
            elapsedTime: max(.zero, now - began), idleTime: now - lastArrival,
            longestTimeRemaining: measured.map { $0.status(at: now).secondsRemaining }.max() ?? 0)
    }

    private mutating func show(_ completed: Double, of total: Double, isComplete: Bool) {
        let last = shown ?? (fraction: 0, completed: completed)
        let share = (completed - last.completed) / (total - last.completed)
        let (advanced, exact) = (last.fraction + (1 - last.fraction) * share, completed / total)
        // If the values are nearly equal, the quotient is used, because rounding errors would accumulate.
        let fraction = max(last.fraction, advanced - exact > 1e-9 ? advanced : exact)
        shown = (isComplete ? 1 : min(fraction, 1.0.nextDown), completed)
    }

    func slowest(_ limit: Int, at now: Duration) -> [TransferStatus] {
        let rows: [Row] = open.filter(\.value.isStarted).map { ($0, $1.status(at: now), now) } + recent(at: now)
        return rows.sorted { ($1.status.secondsRemaining, $0.id) < ($0.status.secondsRemaining, $1.id) }
            .prefix(max(0, limit)).sorted { $0.id < $1.id }.map(\.status)
    }

    func waitingText(at now: Duration) -> String? {
        let started = open.values.filter(\.isStarted)
        guard !started.isEmpty, started.allSatisfy(\.isWaiting) else { return nil }
        let time = now - (started.compactMap(\.offlineSince).min() ?? now)
        let next = started.compactMap(\.retryTime).min().map { ($0 - now).text() }
        return (started.count == 1 ? "" : "\(started.count) transfers ")
            + (next.map { "waiting, next attempt in \($0)" }
                ?? "offline for \(time.text(rounded: .down)), waiting for the network")
    }
}
