import NetworkIndicator
import TestSupport

struct OracleScript: CustomStringConvertible {
    typealias Configuration = NetworkIndicatorManager.Configuration

    enum Kind: Hashable { case object, conditional, selfFinishing, opaque, counted }

    /// Times are in milliseconds.
    indirect enum Step: Hashable {
        case begin(Int), finish(Int), drop(Int)
        /// The condition of the task captures another slot's object, either directly or through a screen.
        case beginCapturing(Int, Int, throughScreen: Bool)
        case makeConditionFalse(Int)
        case reset
        case enable(Bool)
        case configure(Configuration)
        case attachOrDetach
        case query
        case waitUntilIdle(timeout: Int?)
        case inNextCall(Step)
        /// Another thread makes the call.
        case elsewhere(Step)
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
            steps.append(Self.step(Array(slots), using: &generator))
        }
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: insert(Self.closedScreen(using: &generator), using: &generator)
        case 1: insert(Self.youngerTask(using: &generator), using: &generator)
        default: break
        }
    }

    private mutating func insert(_ story: [Step], using generator: inout SeededGenerator) {
        let positions = story.map { _ in Int.random(in: steps.indices, using: &generator) }.sorted()
        for (step, position) in zip(story, positions).reversed() { steps.insert(step, at: position + 1) }
    }

    /// While the main thread is blocked, a task begins and ends that is younger than an object under way.
    private static func youngerTask(using generator: inout SeededGenerator) -> [Step] {
        var configuration = configuration(using: &generator)
        configuration.showDelay = .seconds(1)
        let (object, task) = (Int.random(in: 0..<5, using: &generator), 6)
        return [
            .configure(configuration), .begin(task), .run(600), .finish(task), .run(100), .begin(object), .block(400),
            .begin(task), .finish(task), Bool.random(using: &generator) ? .reset : .run(0), .begin(task), .run(1200),
        ]
    }

    /// A screen tracks its socket and an operation. The operation ends, and then the screen is closed.
    private static func closedScreen(using generator: inout SeededGenerator) -> [Step] {
        let slots = Self.slots.indices
        let operation = slots.filter { Self.slots[$0] == .conditional }.randomElement(using: &generator)!
        let socket = slots.filter { $0 != operation && Self.slots[$0] != .counted }.randomElement(using: &generator)!
        return [
            .begin(socket), .beginCapturing(operation, socket, throughScreen: Bool.random(using: &generator)),
            .run(Int.random(in: 0...200, using: &generator)), .makeConditionFalse(operation), .drop(socket), .run(2500),
        ]
    }

    private static func configuration(using generator: inout SeededGenerator) -> Configuration {
        var configuration = Configuration.standard
        configuration.showDelay = .milliseconds([0, 10, 50, 100, 100].randomElement(using: &generator)!)
        configuration.hideDelay = .milliseconds([0, 10, 50, 300, 300].randomElement(using: &generator)!)
        configuration.minimumVisibleDuration = .milliseconds([0, 0, 30, 200].randomElement(using: &generator)!)
        configuration.completionCheckInterval = .milliseconds([10, 60, 100, 1000].randomElement(using: &generator)!)
        return configuration
    }

    private static func step(_ slots: [Int], using generator: inout SeededGenerator) -> Step {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<26: .run([0, 0, 10, 20, 40, 50, 90, 100, 110, 300, 1200, 2500].randomElement(using: &generator)!)
        case 26..<38: .block([10, 20, 40, 60, 100, 200, 300, 400, 3000].randomElement(using: &generator)!)
        case 38..<48: .drop(slots.randomElement(using: &generator)!)
        case 48..<50: .query
        case 50..<54: .waitUntilIdle(timeout: [nil, nil, 50, 1000].randomElement(using: &generator)!)
        case 54..<58: .inNextCall(call(slots, using: &generator))
        case 58..<68: .elsewhere(call(slots, using: &generator))
        default: call(slots, using: &generator)
        }
    }

    private static func call(_ slots: [Int], using generator: inout SeededGenerator) -> Step {
        let slot = slots.randomElement(using: &generator)!
        return switch Int.random(in: 0..<100, using: &generator) {
        case 0..<35: .begin(slot)
        case 35..<50:
            .beginCapturing(
                slot, slots.randomElement(using: &generator)!, throughScreen: Bool.random(using: &generator))
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
