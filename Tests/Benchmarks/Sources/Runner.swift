import Foundation

/// Each round takes one sample of every row of pairs, so that a disturbance affects these rows alike.
struct Runner {
    let sampleDuration: Duration
    let rounds: Int
    let isQuick: Bool

    static let full = Runner(sampleDuration: .milliseconds(40), rounds: 15, isQuick: false)
    static let quick = Runner(sampleDuration: .milliseconds(5), rounds: 5, isQuick: true)

    func measure(_ rows: [Row], progress: (String) -> Void) throws -> [Measurement] {
        var measurements = rows.map { Measurement(row: $0) }
        var samplers: [Int: Sampler] = [:]
        for (index, row) in rows.enumerated() {
            guard case .pairs(let prepare) = row.method else { continue }
            progress("warming up \(row.name), \(row.live) live")
            samplers[index] = Sampler(prepare(), duration: sampleDuration)
        }
        for round in 1...rounds where !samplers.isEmpty {
            progress("round \(round) of \(rounds)")
            for index in rows.indices {
                if let sample = samplers[index]?.sample() { measurements[index].samples.append(sample) }
            }
        }
        samplers = [:]
        for (index, row) in rows.enumerated() {
            guard case .value(let rounds, let quickRounds, let measure) = row.method else { continue }
            progress("\(row.name), \(row.live) live")
            for _ in 0..<(isQuick ? quickRounds : rounds) { measurements[index].samples.append(try measure()) }
        }
        return measurements
    }
}

struct Sampler {
    private let pairs: Pairs
    private var count = 1

    init(_ pairs: @escaping Pairs, duration: Duration) {
        self.pairs = pairs
        var elapsed = min(time(), time())
        while elapsed < duration / 8 {
            count *= 2
            elapsed = min(time(), time())
        }
        count = max(1, Int(Double(count) * (duration / elapsed)))
    }

    /// In nanoseconds.
    func sample() -> Double {
        pairs(count / 16)  // warm-up
        DispatchQueue.main.sync {}
        return time() / .nanoseconds(1) / Double(count)
    }

    private func time() -> Duration { ContinuousClock().measure { pairs(count) } }
}
