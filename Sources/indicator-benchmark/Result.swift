import Foundation

/// What was measured for a row: one sample a round.
struct Result {
    let benchmark: Benchmark
    var samples: [Double] = []

    var median: Double { Self.median(of: samples) }
    var minimum: Double { samples.min() ?? .nan }
    var maximum: Double { samples.max() ?? .nan }

    static func median(of values: [Double]) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

extension [Result] {
    subscript(name: String, live live: Int, threads threads: Int = 1) -> Result? {
        first { $0.benchmark.name == name && $0.benchmark.live == live && $0.benchmark.threads == threads }
    }

    /// The table of all rows.
    var markdown: String {
        var lines = ["| name | live | threads | median | min | max |", "|---|--:|--:|--:|--:|--:|"]
        for result in self {
            let benchmark = result.benchmark
            let values = [result.median, result.minimum, result.maximum].map { $0.formatted(as: benchmark.unit) }
            lines.append(
                "| `\(benchmark.name)` | \(benchmark.live) | \(benchmark.threads) | "
                    + values.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }

    /// The medians of one thread at a glance: a row for each name, a column for each number of live tasks.
    ///
    /// Empty where nothing was measured over several numbers.
    var glance: String {
        let lives = [0, 100, 10_000, 1_000_000]
        var lines: [String] = []
        for name in map(\.benchmark.name) where !lines.contains(where: { $0.hasPrefix("| `\(name)` |") }) {
            let results = lives.map { self[name, live: $0] }
            guard results.count(where: { $0 != nil }) > 1 else { continue }
            let cells = results.map { $0.map { $0.median.formatted(as: $0.benchmark.unit) } ?? "" }
            lines.append("| `\(name)` | " + cells.joined(separator: " | ") + " |")
        }
        guard !lines.isEmpty else { return "" }
        let header = "| median, by live tasks | " + lives.map { "\($0)" }.joined(separator: " | ") + " |"
        return ([header, "|---|" + String(repeating: "--:|", count: lives.count)] + lines).joined(separator: "\n")
    }

    var json: Data {
        get throws {
            let rows = map { result -> [String: Any] in
                [
                    "name": result.benchmark.name, "live": result.benchmark.live,
                    "threads": result.benchmark.threads, result.benchmark.unit.rawValue: result.median.rounded(to: 2),
                    "min": result.minimum.rounded(to: 2), "max": result.maximum.rounded(to: 2),
                ]
            }
            return try JSONSerialization.data(
                withJSONObject: ["results": rows], options: [.prettyPrinted, .sortedKeys])
        }
    }
}

extension Double {
    /// Three significant digits or more, with the unit a reader would choose.
    func formatted(as unit: Benchmark.Unit) -> String {
        switch unit {
        case .count: String(format: "%.0f", self)
        case .bytes: String(format: "%.1f B", self)
        case .nanoseconds where self >= 1e6: String(format: "%.2f ms", self / 1e6)
        case .nanoseconds where self >= 1e4: String(format: "%.1f µs", self / 1e3)
        case .nanoseconds: String(format: "%.1f ns", self)
        }
    }

    func rounded(to digits: Int) -> Decimal {
        Decimal(string: String(format: "%.\(digits)f", self)) ?? .nan
    }
}
