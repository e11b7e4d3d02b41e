import Foundation

struct Measurement {
    let row: Row
    var samples: [Double] = []

    var median: Double { samples.median }
    var minimum: Double { samples.min() ?? .nan }
    var maximum: Double { samples.max() ?? .nan }
}

extension [Double] {
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        let middle = count / 2
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

extension [Measurement] {
    subscript(name: String, live: Int) -> Measurement? { first { $0.row.name == name && $0.row.live == live } }

    var markdown: String {
        let lines = map { measurement in
            let values = [measurement.median, measurement.minimum, measurement.maximum]
            let cells = values.map { $0.formatted(as: measurement.row.unit) }.joined(separator: " | ")
            return "| `\(measurement.row.name)` | \(measurement.row.live) | \(cells) |"
        }
        return (["| name | live tasks | median | min | max |", "|---|--:|--:|--:|--:|"] + lines)
            .joined(separator: "\n")
    }
}

extension Double {
    func formatted(as unit: Row.Unit) -> String {
        switch unit {
        case .count: String(format: "%.0f", self)
        case .bytes: String(format: "%.0f B", self)
        case .ratio: String(format: "%.2f", self)
        case .nanoseconds where self >= 1e6: String(format: "%.2f ms", self / 1e6)
        case .nanoseconds where self >= 1e4: String(format: "%.1f µs", self / 1e3)
        case .nanoseconds: String(format: "%.1f ns", self)
        }
    }
}
