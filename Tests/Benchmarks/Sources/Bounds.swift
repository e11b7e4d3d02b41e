import Foundation

struct Bound {
    let name: String
    let limit: Double
    let value: Double

    private static func number(_ value: Double) -> String {
        value >= 100 || value == value.rounded() ? String(format: "%.0f", value) : String(format: "%.2f", value)
    }

    fileprivate var markdown: String {
        "| \(name) | ≤ \(Self.number(limit)) | \(Self.number(value)) | \(value <= limit ? "met" : "missed") |"
    }
}

extension [Bound] {
    init(_ measurements: [Measurement]) {
        func row(_ name: String, _ live: Int) -> [Double] {
            measurements.first { $0.row.name == name && $0.row.live == live }!.samples
        }
        let weak = row("weak.begin-finish", 10_000)
        let idSet = row("baseline.id-set", 100)
        self = [
            Bound(
                name: "weak pair, 1,000,000 live : 100 live", limit: 3,
                value: ratio(row("weak.begin-finish", 1_000_000), row("weak.begin-finish", 100))),
            Bound(
                name: "1,000 weak pairs : weak-filter baseline, 10,000 live", limit: 1,
                value: ratio(weak, row("baseline.weak-filter", 10_000)) * 1_000),
            Bound(
                name: "opaque pair : id-set baseline, 100 live", limit: 0.9,
                value: ratio(row("opaque.begin-finish", 100), idSet)),
            Bound(
                name: "count pair : id-set baseline, 100 live", limit: 0.9,
                value: ratio(row("count.inc-dec", 100), idSet)),
            Bound(name: "poll, 100 live, µs", limit: 20, value: row("poll", 100).median / 1e3),
            Bound(name: "poll, 1,000,000 live, ms", limit: 0.5, value: row("poll", 1_000_000).median / 1e6),
            Bound(
                name: "turn after 10,000 deallocations, ms", limit: 2,
                value: row("deallocation.longest-turn", 10_000).median / 1e6),
            Bound(
                name: "longest begin : longest insertion in a dictionary, 10,000 live", limit: 8,
                value: ratio(row("begin.longest", 10_000), row("baseline.insertion.longest", 10_000))),
            Bound(
                name: "a change with 3,000 indicators, without their work, ms", limit: 1,
                value: (row("change.3000-indicators", 1).median - row("baseline.3000-calls", 1).median) / 1e6),
            Bound(name: "wake-ups by an idle manager in 10 s", limit: 0, value: row("idle.wake-ups", 0).median),
        ]
    }

    var markdown: String {
        (["| bound | limit | measured | |", "|---|--:|--:|---|"] + map(\.markdown)).joined(separator: "\n")
    }
}

private func ratio(_ dividend: [Double], _ divisor: [Double]) -> Double { zip(dividend, divisor).map(/).median }
