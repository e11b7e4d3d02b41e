import Foundation

/// What the package promises of its own cost, as ratios within one run, so that they mean the same on every machine.
struct Target {
    private let name: String
    private let limit: Limit
    private let value: Double

    private enum Limit {
        case atMost(Double)
        case atLeast(Double)
    }

    private var isReached: Bool {
        switch limit {
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        }
    }

    /// The table of those targets whose rows have been measured.
    static func markdown(_ results: [Result]) -> String {
        let rows = all(results).map { target in
            let limit =
                switch target.limit {
                case .atMost(let limit): "≤ \(number(limit))"
                case .atLeast(let limit): "≥ \(number(limit))"
                }
            return "| \(target.name) | \(limit) | \(number(target.value)) | \(target.isReached ? "yes" : "no") |"
        }
        return rows.isEmpty
            ? "" : (["| target | limit | measured | reached |", "|---|--:|--:|---|"] + rows).joined(separator: "\n")
    }

    private static func number(_ value: Double) -> String {
        value >= 100 || value == value.rounded() ? String(format: "%.0f", value) : String(format: "%.2f", value)
    }

    private static func all(_ results: [Result]) -> [Target] {
        func row(_ name: String, _ live: Int, _ threads: Int = 1) -> Result? {
            results[name, live: live, threads: threads]
        }
        let locked = row("baseline.locked-counter", 100)
        let lockedScaling = scaling(locked, row("baseline.locked-counter", 100, 2))
        let weak = row("weak.begin-finish", 100)
        let queue = row("baseline.main-queue-counter", 100)
        var targets: [Target?] = [
            Target(
                "`weak.begin-finish`, 1 000 000 live : 100 live", .atMost(3), row("weak.begin-finish", 1_000_000) / weak
            ),
            Target(
                "weak-filter : `weak.begin-finish`, 10 000 live", .atLeast(1000),
                row("baseline.weak-filter.begin-finish", 10_000) / row("weak.begin-finish", 10_000)),
            Target("`weak.begin-finish` : main-queue counter, 100 live", .atMost(0.25), weak / queue),
            Target(
                "`opaque.begin-finish` : locked counter, 100 live", .atMost(3), row("opaque.begin-finish", 100) / locked
            ),
            Target("`count.inc-dec` : locked counter, 100 live", .atMost(1.2), row("count.inc-dec", 100) / locked),
        ]
        for name in ["opaque.begin-finish", "count.inc-dec"] {
            targets.append(
                Target(
                    "`\(name)` : main-queue counter, 0 live", .atMost(1),
                    row(name, 0) / row("baseline.main-queue-counter", 0)))
        }
        targets += [
            Target(
                "`poll.tick`, 1 000 000 live : 1 live", .atMost(2), row("poll.tick", 1_000_000) / row("poll.tick", 1)),
            Target(
                "longest slice when 1 000 000 tokens die, ms", .atMost(1),
                row("poll.all-dead.longest-slice", 1_000_000) / 1e6),
            Target("longest begin up to 10 000 live, ms", .atMost(1), row("begin.longest", 10_000) / 1e6),
            Target("heap per weak task at 1 000 000, bytes", .atMost(160), row("memory.per-task", 1_000_000) / 1),
        ]
        for name in ["weak.begin-finish", "opaque.begin-finish", "count.inc-dec"] {
            targets.append(
                Target(
                    "throughput of two threads : one, `\(name)`, against the locked counter's", .atLeast(1),
                    quotient(scaling(row(name, 100), row(name, 100, 2)), lockedScaling)))
        }
        targets.append(Target("wake-ups by an idle manager in 10 s", .atMost(0), row("idle.wakeups", 0) / 1))
        return targets.compactMap { $0 }
    }

    private init?(_ name: String, _ limit: Limit, _ values: [Double]?) {
        guard let values else { return nil }
        (self.name, self.limit, value) = (name, limit, Result.median(of: values))
    }

    /// How much more all threads together get done than one, round by round.
    private static func scaling(_ one: Result?, _ two: Result?) -> [Double]? { one / two }

    private static func quotient(_ dividend: [Double]?, _ divisor: [Double]?) -> [Double]? {
        guard let dividend, let divisor else { return nil }
        return zip(dividend, divisor).map(/)
    }
}

/// Round by round: what disturbed one sample disturbed its neighbour, too.
private func / (dividend: Result?, divisor: Result?) -> [Double]? {
    guard let dividend, let divisor else { return nil }
    return zip(dividend.samples, divisor.samples).map(/)
}

private func / (dividend: Result?, divisor: Double) -> [Double]? { dividend?.samples.map { $0 / divisor } }
