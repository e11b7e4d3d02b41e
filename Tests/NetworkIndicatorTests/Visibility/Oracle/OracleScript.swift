import TestSupport

/// The steps of one schedule. Every step is possible after any other, so steps can be omitted.
struct OracleScript: CustomStringConvertible {
    /// Times are in ticks of ten milliseconds.
    struct Settings: Hashable {
        var showDelay = 10
        var hideDelay = 30
        var minimumVisible = 0
        var interval = 100
        var threshold: Int?
    }

    indirect enum Step: Hashable {
        // A slot names an object. An empty slot gets one at its next begin or finish.
        case begin(Int), finish(Int), drop(Int)
        case beginOpaque(Int), finishOpaque(Int), dropOpaque(Int)
        case increment, decrement, reset
        case enable(Bool)
        case configure(Settings)
        case attach, detach
        /// Reads the manager's count, or whether there is any task, and checks the result.
        case count, hasTasks
        /// Runs a step within the next `setVisible`.
        case duringSetVisible(Step)
        case wait(Int)
        /// Time passes while the main thread is blocked.
        case stall(Int)
    }

    static let slots = 0..<5
    /// The tokens of this slot finish themselves in their `deinit`.
    static let selfFinishingSlot = 4

    var steps: [Step]
    let isMonitored: Bool

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        isMonitored = Bool.random(using: &generator)
        steps = [.configure(Self.settings(using: &generator))]
        for _ in 0..<Int.random(in: 4...40, using: &generator) { steps.append(Self.step(using: &generator)) }
    }

    private static func settings(using generator: inout SeededGenerator) -> Settings {
        Settings(
            showDelay: [0, 1, 5, 10].randomElement(using: &generator)!,
            hideDelay: [0, 1, 5, 30].randomElement(using: &generator)!,
            minimumVisible: [0, 0, 3, 20].randomElement(using: &generator)!,
            interval: [1, 5, 10, 100].randomElement(using: &generator)!,
            threshold: [nil, 4, 50].randomElement(using: &generator)!)
    }

    private static func step(using generator: inout SeededGenerator) -> Step {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<30: .wait([0, 1, 2, 4, 5, 9, 10, 11, 30, 120].randomElement(using: &generator)!)
        case 30..<36: .stall(Int.random(in: 1...40, using: &generator))
        case 36..<48: .drop(Self.slots.randomElement(using: &generator)!)
        case 48..<50: .count
        case 50..<52: .hasTasks
        case 52..<57: .duringSetVisible(call(using: &generator))
        default: call(using: &generator)
        }
    }

    private static func call(using generator: inout SeededGenerator) -> Step {
        let slot = Self.slots.randomElement(using: &generator)!
        return switch Int.random(in: 0..<100, using: &generator) {
        case 0..<36: .begin(slot)
        case 36..<50: .finish(slot)
        case 50..<60: .beginOpaque(slot)
        case 60..<66: .finishOpaque(slot)
        case 66..<72: .dropOpaque(slot)
        case 72..<77: .increment
        case 77..<82: .decrement
        case 82..<84: .reset
        case 84..<89: .enable(Bool.random(using: &generator))
        case 89..<94: .configure(settings(using: &generator))
        case 94..<97: .attach
        default: .detach
        }
    }

    var description: String {
        (isMonitored ? "    with a monitor\n" : "") + steps.map { "    \($0)" }.joined(separator: "\n")
    }

    /// Returns a shorter script that still fails. Omits steps as long as the rest fails.
    @MainActor
    func shrunk(_ fails: @MainActor (OracleScript) -> Bool) -> OracleScript {
        var best = self
        var size = max(1, steps.count / 2)
        while size >= 1 {
            var start = 0
            var hasShrunk = false
            while start < best.steps.count {
                var candidate = best
                candidate.steps.removeSubrange(start..<min(start + size, candidate.steps.count))
                if fails(candidate) {
                    best = candidate
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if !hasShrunk || size > 1 { size = size == 1 ? 0 : size / 2 }
        }
        return best
    }
}
