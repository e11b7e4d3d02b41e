import NetworkIndicator
import TestSupport

struct OracleScript: CustomStringConvertible {
    typealias Configuration = NetworkIndicatorManager.Configuration

    enum Kind: Hashable { case object, conditional, selfFinishing, opaque, counted }

    /// Times are in milliseconds.
    indirect enum Step: Hashable {
        case begin(Int), finish(Int), drop(Int)
        case makeConditionFalse(Int)
        case reset
        case enable(Bool)
        case configure(Configuration)
        case attachOrDetach
        case query
        case waitUntilIdle(timeout: Int?)
        case inNextCall(Step)
        case run(Int)
        case block(Int)
    }

    static let slots: [Kind] = [
        .conditional, .conditional, .conditional, .object, .object, .selfFinishing, .opaque, .opaque, .counted,
    ]

    let isMonitored: Bool
    var steps: [Step]

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        isMonitored = Int.random(in: 0..<3, using: &generator) == 0
        steps = [.configure(Self.configuration(using: &generator))]
        let slots = Self.slots.indices.shuffled(using: &generator).prefix(Int.random(in: 1...5, using: &generator))
        for _ in 0..<Int.random(in: 4...40, using: &generator) {
            steps.append(Self.step(slots.randomElement(using: &generator)!, using: &generator))
        }
    }

    private static func configuration(using generator: inout SeededGenerator) -> Configuration {
        var configuration = Configuration.standard
        configuration.showDelay = .milliseconds([0, 10, 50, 100, 100].randomElement(using: &generator)!)
        configuration.hideDelay = .milliseconds([0, 10, 50, 300, 300].randomElement(using: &generator)!)
        configuration.minimumVisibleDuration = .milliseconds([0, 0, 30, 200].randomElement(using: &generator)!)
        configuration.completionCheckInterval = .milliseconds([10, 60, 100, 1000].randomElement(using: &generator)!)
        return configuration
    }

    private static func step(_ slot: Int, using generator: inout SeededGenerator) -> Step {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<26: .run([0, 0, 10, 20, 40, 50, 90, 100, 110, 300, 1200, 2500].randomElement(using: &generator)!)
        case 26..<38: .block([10, 20, 40, 60, 100, 200, 300, 400, 3000].randomElement(using: &generator)!)
        case 38..<48: .drop(slot)
        case 48..<50: .query
        case 50..<54: .waitUntilIdle(timeout: [nil, nil, 50, 1000].randomElement(using: &generator)!)
        case 54..<58: .inNextCall(call(slot, using: &generator))
        default: call(slot, using: &generator)
        }
    }

    private static func call(_ slot: Int, using generator: inout SeededGenerator) -> Step {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<50: .begin(slot)
        case 50..<65: .finish(slot)
        case 65..<75: .makeConditionFalse(slot)
        case 75..<78: .reset
        case 78..<86: .enable(Bool.random(using: &generator))
        case 86..<94: .configure(configuration(using: &generator))
        default: .attachOrDetach
        }
    }

    var description: String {
        ((isMonitored ? ["with a monitor"] : []) + steps.map(String.init(describing:)))
            .map { "    " + $0.replacing(/NetworkIndicator[A-Za-z.]*(Script|Manager)\./, with: "") }
            .joined(separator: "\n")
    }

    @MainActor
    func shrunk(_ fails: @MainActor (OracleScript) async -> Bool) async -> OracleScript {
        var best = self
        var index = 0
        while index < best.steps.count {
            var candidate = best
            candidate.steps.remove(at: index)
            if await fails(candidate) { (best, index) = (candidate, 0) } else { index += 1 }
        }
        return best
    }
}
