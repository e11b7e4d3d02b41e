import Foundation

/// Compares the weak pair with that of another build of this program, such as a build of an earlier commit.
enum ComparisonRow {
    static func row(before: URL) -> Row {
        Row(
            name: "weak.begin-finish.vs-before", live: 100, unit: .ratio,
            method: .value(rounds: 11, quickRounds: 3) {
                // The two alternate, because the machine's speed changes over minutes.
                let now = try Subprocess(.weakPair).number()
                return now / (try Subprocess(.weakPair, of: before).number())
            })
    }

    /// Nanoseconds for a pair in this process.
    static func weakPair() -> Double {
        let sampler = Sampler(PairRows.weak(100), duration: .milliseconds(40))
        return (0..<15).map { _ in sampler.sample() }.median
    }
}
