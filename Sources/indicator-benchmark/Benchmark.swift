/// One row of the table: what is measured, under which conditions, and how.
struct Benchmark: Sendable {
    enum Unit: String {
        /// Nanoseconds for one pair of calls, or for one of what the name says.
        case nanoseconds = "ns"
        case bytes
        case count
    }

    enum Measurement: Sendable {
        /// Pairs of calls, made by every thread at the same time. What it returns makes a number of pairs.
        case pairs(@Sendable () -> Pairs)
        /// One value, measured by whoever knows how; so often in a full run, and in a quick one.
        case value(rounds: Int, quickRounds: Int, @Sendable () throws -> Double)
    }

    let name: String
    /// How many tasks live meanwhile.
    let live: Int
    var threads = 1
    var unit = Unit.nanoseconds
    let measurement: Measurement
}

/// Makes pairs of calls: so many on this thread, and comes back when they are done.
typealias Pairs = @Sendable (_ count: Int) -> Void
