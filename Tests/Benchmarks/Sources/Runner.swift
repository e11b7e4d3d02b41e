import Foundation

struct Row: Sendable {
    enum Method: Sendable {
        case pairs(@Sendable () -> Pairs)
        case value(rounds: Int, @Sendable () throws -> Double)
    }

    let name: String
    let live: Int
    /// Whether the values are a number, and not nanoseconds.
    var isCount = false
    let method: Method
}

typealias Pairs = @Sendable (_ count: Int) -> Void

struct Measurement {
    let row: Row
    var samples: [Double] = []

    var markdown: String {
        let values = [samples.median, samples.min() ?? .nan, samples.max() ?? .nan]
        let cells = values.map { row.isCount ? String(format: "%.0f", $0) : $0.nanoseconds }
        return "| `\(row.name)` | \(row.live) | \(cells.joined(separator: " | ")) |"
    }
}

extension [Measurement] {
    var markdown: String {
        (["| name | live tasks | median | min | max |", "|---|--:|--:|--:|--:|"] + map(\.markdown))
            .joined(separator: "\n")
    }
}

extension [Double] {
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        let middle = count / 2
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

extension Double {
    fileprivate var nanoseconds: String {
        switch self {
        case 1e6...: String(format: "%.2f ms", self / 1e6)
        case 1e4...: String(format: "%.1f µs", self / 1e3)
        default: String(format: "%.1f ns", self)
        }
    }
}

/// Each round takes one sample of every row of pairs, so that a disturbance affects these rows alike.
struct Runner {
    let isQuick: Bool

    func measure(_ rows: [Row], progress: (String) -> Void) throws -> [Measurement] {
        var measurements = rows.map { Measurement(row: $0) }
        var samplers: [Int: Sampler] = [:]
        for (index, row) in rows.enumerated() {
            guard case .pairs(let prepare) = row.method else { continue }
            progress("warming up \(row.name), \(row.live) live")
            samplers[index] = Sampler(prepare(), duration: .milliseconds(isQuick ? 5 : 40))
        }
        for round in 1...(isQuick ? 5 : 15) where !samplers.isEmpty {
            progress("round \(round)")
            for index in rows.indices {
                if let sample = samplers[index]?.sample() { measurements[index].samples.append(sample) }
            }
        }
        samplers = [:]
        for (index, row) in rows.enumerated() {
            guard case .value(let rounds, let measure) = row.method else { continue }
            progress("\(row.name), \(row.live) live")
            for _ in 0..<(isQuick ? (rounds + 2) / 3 : rounds) { measurements[index].samples.append(try measure()) }
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
