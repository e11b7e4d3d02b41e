struct Row: Sendable {
    enum Unit: String {
        /// Nanoseconds for a pair of calls, or for the one operation that the row's name describes.
        case nanoseconds = "ns"
        case count
        case ratio
    }

    enum Method: Sendable {
        /// Times pairs of calls. The closure prepares the measurement, and returns a closure that makes the pairs.
        case pairs(@Sendable () -> Pairs)
        case value(rounds: Int, quickRounds: Int, @Sendable () throws -> Double)
    }

    let name: String
    /// The number of live tasks during the measurement.
    let live: Int
    var unit = Unit.nanoseconds
    let method: Method
}

/// Makes `count` pairs of calls on the current thread.
typealias Pairs = @Sendable (_ count: Int) -> Void
