import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

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
        var announces = true
        var isAnnounced = false
        var hasBytes = false
        var measuredSince: Duration

        var total: Int64? { isAnnounced ? size : nil }
        var isPending: Bool { total == nil && !hasBytes }
    }

    private let time = ManualTiming()
    private let meter: TransferMeter
    private var generator: SeededGenerator
    private var now: Duration { time.timing.now() }
    private var open: [Model] = []
    private var finishedBytes: Int64 = 0
    private var lastFraction = 0.0

    init(seed: UInt64) {
        meter = TransferMeter(now: time.timing.now)
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
            let index = open.indices.randomElement(using: &generator)!
            change(index)
        }
        if chance(80) { try check() }
    }

    mutating func finishAll() throws {
        while !open.isEmpty {
            finish(0)
            try check()
        }
        #expect(meter.status.completedBytes == finishedBytes && meter.waitingText == nil)
    }

    private mutating func begin() {
        if open.isEmpty { (finishedBytes, lastFraction) = (0, 0) }
        let (size, part) = (size(), chance(30) ? size() : 0)
        let transfer = meter.beginTransfer(completedBytes: min(part, size))
        open.append(
            Model(
                transfer: transfer, size: size, completed: min(part, size), announces: chance(80),
                measuredSince: now))
    }

    private mutating func change(_ index: Int) {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: finish(index)
        case 1:
            open[index].transfer.receive(.started(attempt: 1))
            if !open[index].hasBytes { open[index].measuredSince = now }
        case 2:
            open[index].transfer.receive(
                .willRetry(attempt: 2, failure: .status(503, retryAfter: nil), delay: .zero))
        case 3: respond(index, from: open[index].completed)
        case 4: respond(index, from: 0)
        case 5:
            // The server replaced the file.
            open[index].size = size()
            respond(index, from: 0)
        default:
            let missing = open[index].size - open[index].completed
            let received = chance(20) ? missing : Int64.random(in: 0...missing, using: &generator)
            open[index].completed += received
            open[index].hasBytes = open[index].hasBytes || received > 0
            update(index)
        }
    }

    private mutating func respond(_ index: Int, from offset: Int64) {
        if offset < open[index].completed { (open[index].hasBytes, lastFraction) = (false, 0) }
        if !open[index].hasBytes { open[index].measuredSince = now }
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
        finishedBytes += model.completed
    }

    private mutating func check() throws {
        let status = meter.status
        try #require(status.completedBytes == open.reduce(finishedBytes) { $0 + $1.completed })
        let isUnknown = open.contains { $0.total == nil && !$0.isPending }
        try #require(!isUnknown || status.totalBytes == nil)
        if let total = status.totalBytes {
            let pending = open.filter(\.isPending)
            let least = open.reduce(finishedBytes) { $0 + ($1.total ?? $1.completed) }
            try #require(pending.isEmpty ? total == least : total >= least)
            try #require(status.isTotalEstimated == !pending.isEmpty)
        } else {
            try #require(status.fractionCompleted == nil && status.estimatedTimeRemaining == nil)
        }
        if let fraction = status.fractionCompleted {
            try #require(fraction >= 0 && (fraction == 1) == open.allSatisfy { $0.total == $0.completed })
            try #require(fraction >= lastFraction || lastFraction == 1)
            lastFraction = fraction
        }
        try #require(status.bytesPerSecond.map { $0 >= 0 && $0 < .infinity } != false)
        if let time = status.estimatedTimeRemaining {
            for model in open where now - model.measuredSince >= .milliseconds(2_500) {
                let part = try #require(model.transfer.status)
                try #require(part.stalledTime == nil)
                // The times are rounded when they are converted to seconds and back.
                try #require(part.estimatedTimeRemaining.map { $0 <= time + .milliseconds(1) } != false)
            }
        }
    }
}
