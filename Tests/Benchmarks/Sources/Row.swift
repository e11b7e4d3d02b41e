/// A row of the table, and how it is measured.
struct Row: Sendable {
    enum Unit: String {
        /// Nanoseconds for a pair of calls, or for one operation that the name describes.
        case nanoseconds = "ns"
        case count
        case ratio
    }

    enum Method: Sendable {
        /// Pairs of calls. The closure prepares them, and returns a closure that makes a number of pairs.
        case pairs(@Sendable () -> Pairs)
        /// A single value for each round. A full run and a quick run have different numbers of rounds.
        case value(rounds: Int, quickRounds: Int, @Sendable () throws -> Double)
    }

    let name: String
    /// The number of live tasks during the measurement.
    let live: Int
    var unit = Unit.nanoseconds
    let method: Method
}

/// Makes a number of pairs of calls on this thread.
typealias Pairs = @Sendable (_ count: Int) -> Void
