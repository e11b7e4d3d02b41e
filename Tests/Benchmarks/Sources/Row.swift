struct Row: Sendable {
    enum Unit: String {
        case nanoseconds = "ns"
        case count
        case bytes
        case ratio
    }

    enum Method: Sendable {
        case pairs(@Sendable () -> Pairs)
        case value(rounds: Int, quickRounds: Int, @Sendable () throws -> Double)
    }

    let name: String
    let live: Int
    var unit = Unit.nanoseconds
    let method: Method
}

typealias Pairs = @Sendable (_ count: Int) -> Void
