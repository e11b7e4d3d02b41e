import Foundation

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

    fileprivate var markdown: String {
        "| \(name) | \(limitDescription) | \(Self.number(value)) | \(isMet ? "met" : "missed") |"
    }
}

extension [Bound] {
    init(_ measurements: [Measurement]) {
        func row(_ name: String, _ live: Int) -> Measurement? { measurements[name, live] }
        let idSet = row("baseline.id-set", 100)
        let bounds: [Bound?] = [
            Bound(
                "weak pair, 1,000,000 live : 100 live", .atMost(3),
                ratio(row("weak.begin-finish", 1_000_000), row("weak.begin-finish", 100))),
            Bound(
                "weak-filter baseline : weak pair, 10,000 live", .atLeast(1_000),
                ratio(row("baseline.weak-filter", 10_000), row("weak.begin-finish", 10_000))),
            Bound(
                "opaque pair : id-set baseline, 100 live", .atMost(0.9), ratio(row("opaque.begin-finish", 100), idSet)),
            Bound("count pair : id-set baseline, 100 live", .atMost(0.9), ratio(row("count.inc-dec", 100), idSet)),
            Bound("poll, 100 live, µs", .atMost(20), row("poll", 100).map { $0.samples.median / 1e3 }),
            Bound("poll, 1,000,000 live, ms", .atMost(0.5), row("poll", 1_000_000).map { $0.samples.median / 1e6 }),
            Bound(
                "turn after 10,000 deallocations, ms", .atMost(2),
                row("deallocation.longest-turn", 10_000).map { $0.samples.median / 1e6 }),
            Bound(
                "longest begin : longest insertion in a dictionary, 10,000 live", .atMost(8),
                ratio(row("begin.longest", 10_000), row("baseline.insertion.longest", 10_000))),
            Bound(
                "a change with 3,000 indicators, without their work, ms", .atMost(1),
                excess(of: row("change.3000-indicators", 1), over: row("baseline.3000-calls", 1)).map { $0 / 1e6 }),
            Bound("wake-ups by an idle manager in 10 s", .atMost(0), row("idle.wake-ups", 0).map { $0.samples.median }),
        ]
        self = bounds.compactMap { $0 }
    }

    var markdown: String {
        (["| bound | limit | measured | |", "|---|--:|--:|---|"] + map(\.markdown)).joined(separator: "\n")
    }
}

extension Bound {
    fileprivate init?(_ name: String, _ limit: Limit, _ value: Double?) {
        guard let value else { return nil }
        (self.name, self.limit, self.value) = (name, limit, value)
    }
}

private func excess(of minuend: Measurement?, over subtrahend: Measurement?) -> Double? {
    guard let minuend, let subtrahend else { return nil }
    return minuend.samples.median - subtrahend.samples.median
}

private func ratio(_ dividend: Measurement?, _ divisor: Measurement?) -> Double? {
    guard let dividend, let divisor else { return nil }
    return zip(dividend.samples, divisor.samples).map(/).median
}
