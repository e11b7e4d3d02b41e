import Foundation

/// The limits of the cost, which the benchmark checks. Most are ratios within one run, so that they hold on any machine.
struct Bound {
    enum Limit {
        case atMost(Double)
        case atLeast(Double)
    }

    let name: String
    let limit: Limit
    let value: Double

    var isMet: Bool {
        switch limit {
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        }
    }

    private var limitDescription: String {
        switch limit {
        case .atMost(let limit): "≤ \(Self.number(limit))"
        case .atLeast(let limit): "≥ \(Self.number(limit))"
        }
    }

    private static func number(_ value: Double) -> String {
        value >= 100 || value == value.rounded() ? String(format: "%.0f", value) : String(format: "%.2f", value)
    }

    /// A line for the bounds table.
    fileprivate var markdown: String {
        "| \(name) | \(limitDescription) | \(Self.number(value)) | \(isMet ? "met" : "missed") |"
    }
}

extension [Bound] {
    /// The bounds whose rows were measured.
    init(_ measurements: [Measurement]) {
        func row(_ name: String, _ live: Int) -> Measurement? { measurements[name, live] }
        let idSet = row("baseline.id-set", 100)
        let pairs = ["weak.begin-finish", "opaque.begin-finish", "count.inc-dec"].compactMap { row($0, 100) }
        let queue = row("baseline.main-queue-counter", 100)
        let bounds: [Bound?] = [
            Bound("weak pair : the same before, 100 live", .atMost(1.3), row("weak.begin-finish.vs-before", 100)),
            Bound(
                "weak pair, 1,000,000 live : 100 live", .atMost(3),
                ratio(row("weak.begin-finish", 1_000_000), row("weak.begin-finish", 100))),
            Bound(
                "weak-filter baseline : weak pair, 10,000 live", .atLeast(1_000),
                ratio(row("baseline.weak-filter", 10_000), row("weak.begin-finish", 10_000))),
            Bound(
                "opaque pair : id-set baseline, 100 live", .atMost(1), ratio(row("opaque.begin-finish", 100), idSet)),
            Bound("count pair : id-set baseline, 100 live", .atMost(1), ratio(row("count.inc-dec", 100), idSet)),
            Bound(
                "any pair : main-queue counter, 100 live", .atMost(0.4),
                ratio(pairs.max { $0.median < $1.median }, queue)),
            Bound("poll, 1,000,000 live : 1 live", .atMost(2), ratio(row("poll", 1_000_000), row("poll", 1))),
            Bound("longest begin up to 10,000 live, ms", .atMost(1), row("begin.longest", 10_000), per: 1e6),
            Bound(
                "longest slice while 10,000 tokens die, ms", .atMost(1), row("sweep.longest-slice", 10_000), per: 1e6),
            Bound(
                "longest slice while 1,000,000 tokens die, ms", .atMost(25), row("sweep.longest-slice", 1_000_000),
                per: 1e6),
            Bound("heap for a weak task at 1,000,000, bytes", .atMost(200), row("memory.per-task", 1_000_000)),
            Bound("wake-ups by an idle manager in 10 s", .atMost(0), row("idle.wake-ups", 0)),
        ]
        self = bounds.compactMap { $0 }
    }

    var markdown: String {
        (["| bound | limit | measured | |", "|---|--:|--:|---|"] + map(\.markdown)).joined(separator: "\n")
    }

    var json: [[String: Any]] {
        map { ["name": $0.name, "value": $0.value.rounded(to: 2), "isMet": $0.isMet] }
    }
}

extension Bound {
    fileprivate init?(_ name: String, _ limit: Limit, _ value: Double?) {
        guard let value else { return nil }
        (self.name, self.limit, self.value) = (name, limit, value)
    }

    fileprivate init?(_ name: String, _ limit: Limit, _ measurement: Measurement?, per unit: Double = 1) {
        self.init(name, limit, measurement.map { $0.median / unit })
    }
}

/// Returns the median of the rounds' ratios, because a disturbance affects both samples of a round.
private func ratio(_ dividend: Measurement?, _ divisor: Measurement?) -> Double? {
    guard let dividend, let divisor else { return nil }
    return zip(dividend.samples, divisor.samples).map(/).median
}
