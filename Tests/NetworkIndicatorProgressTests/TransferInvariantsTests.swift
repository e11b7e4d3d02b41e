import NetworkIndicatorTransfers
import TestSupport
import Testing

@testable import NetworkIndicatorProgress

@Suite("TransferMeter's documented invariants")
struct TransferInvariantsTests {
    @Test("They hold for random transfers with retries, resumes, unknown lengths and replacements", arguments: 0..<200)
    func randomTransfers(seed: Int) throws {
        var script = MeterScript(seed: UInt64(seed))
        for _ in 0..<200 { try script.step() }
        try script.finishAll()
    }
}

/// Performs random changes of a meter, and compares the meter with a simple model.
private struct MeterScript {
    private struct Model {
        let transfer: TransferMeter.Transfer
        /// The size on the server, which the meter knows only if `isAnnounced`.
        var size: Int64
        var completed: Int64
        let announces: Bool
        var isAnnounced = false
        var isStarted = false
        var hasBytes = false
        var lastBytes: Duration
        /// At most the time for which the meter has measured the rate.
        var measured: Duration = .zero

        var total: Int64? { isAnnounced ? size : nil }

        mutating func measure(_ received: Int64, at now: Duration) {
            measured = received < 0 || !hasBytes && received == 0 ? .zero : measured + min(now - lastBytes, .seconds(1))
            hasBytes = received > 0 || received == 0 && hasBytes
            lastBytes = now
        }
    }

    private let time = TestClock()
    private let start: SuspendingClock.Instant
    private let meter: TransferMeter
    private var generator: SeededGenerator
    private var now: Duration { start.duration(to: time.now) }
    private var open: [Model] = []
    private var failed: [Model] = []
    private var finishedBytes: Int64 = 0

    init(seed: UInt64) {
        (start, meter) = (time.now, TransferMeter(clock: time))
        generator = SeededGenerator(seed: seed)
    }

    private mutating func chance(_ percent: Int) -> Bool { .random(in: 0..<100, using: &generator) < percent }

    private mutating func size() -> Int64 {
        chance(10) ? 0 : .random(in: 0..<(chance(20) ? 1_000_000_000 : 1_000), using: &generator)
    }

    mutating func step() throws {
        time.advance(by: .milliseconds(.random(in: 0..<(chance(5) ? 9_000 : 300), using: &generator)))
        if open.isEmpty || (open.count < 6 && chance(10)) {
            begin()
        } else {
            change(open.indices.randomElement(using: &generator)!)
        }
        try check()
    }

    mutating func finishAll() throws {
        while !open.isEmpty {
            finish(0)
            try check()
        }
        #expect(meter.waitingText == nil)
    }

    private mutating func begin() {
        if open.isEmpty { (finishedBytes, failed) = (0, []) }
        let (size, part) = (size(), chance(30) ? size() : 0)
        let transfer = meter.beginTransfer(completedBytes: min(part, size))
        open.append(
            Model(
                transfer: transfer, size: size, completed: min(part, size), announces: chance(80), lastBytes: now))
    }

    private mutating func change(_ index: Int) {
        let action = Int.random(in: 0..<20, using: &generator)
        if action > 0 { open[index].isStarted = true }
        switch action {
        case 0: finish(index)
        case 1:
            open[index].transfer.receive(.started(attempt: 1))
            if !open[index].hasBytes { open[index].measure(0, at: now) }
        case 2:
            open[index].transfer.receive(
                .willRetry(attempt: 2, failure: .status(503, retryAfter: nil), delay: .zero))
        case 3...5:
            // In the last case, the server has replaced the file.
            if action == 5 { open[index].size = size() }
            respond(index, from: action == 3 ? open[index].completed : 0)
        default:
            let missing = open[index].size - open[index].completed
            let received = chance(20) ? missing : Int64.random(in: 0...missing, using: &generator)
            open[index].completed += received
            if received > 0 || !open[index].hasBytes { open[index].measure(received, at: now) }
            update(index)
        }
    }

    private mutating func respond(_ index: Int, from offset: Int64) {
        let change = offset - open[index].completed
        if change < 0 || !open[index].hasBytes { open[index].measure(change, at: now) }
        open[index].completed = offset
        open[index].transfer.receive(.receiving(isResumable: true, isVerifiable: true))
        update(index)
    }

    private mutating func update(_ index: Int) {
        open[index].isAnnounced = open[index].announces
        let model = open[index]
        model.transfer.update(TransferProgress(completedBytes: model.completed, totalBytes: model.total))
    }

    private mutating func finish(_ index: Int) {
        let model = open.remove(at: index)
        model.transfer.finish()
        if model.total == model.completed {
            finishedBytes += model.completed
        } else if model.isStarted {
            failed.append(model)
        }
    }

    private func check() throws {
        let (status, all) = (meter.status, open + failed)
        try #require(status.completedBytes == all.reduce(finishedBytes) { $0 + $1.completed })
        guard let total = status.totalBytes, let fraction = status.fractionCompleted else {
            try #require(status.totalBytes == nil && status.fractionCompleted == nil)
            return try #require(status.estimatedTimeRemaining == nil)
        }
        let unknown = all.count { $0.total == nil }
        let least = all.reduce(finishedBytes) { $0 + ($1.total ?? 2 * $1.completed) }
        try #require(unknown == 0 ? total == least : total > least)
        try #require(status.isTotalEstimated == (unknown > 0))
        try #require(fraction >= 0 && (fraction == 1) == all.allSatisfy { $0.total == $0.completed })
        try #require(status.bytesPerSecond.map { $0 >= 0 && $0 < .infinity } != false)
        guard let time = status.estimatedTimeRemaining else { return try #require(!open.isEmpty) }
        for model in open where model.measured >= .milliseconds(2_500) && model.total != nil {
            let part = try #require(model.transfer.status)
            // The times are rounded when they are converted to seconds and back.
            try #require(part.estimatedTimeRemaining.map { $0 <= time + .milliseconds(1) } == true)
        }
    }
}
