import Testing

/// Every sequence of events up to a length.
@Suite struct ExhaustiveVisibilityTests {
    static let depth = 7

    @Test func everySequenceOfEventsKeepsTheInvariants() {
        var sequences = 0
        var path: [VisibilityWalk.Event] = []
        var violation: String?

        func explore(_ walk: VisibilityWalk) {
            if let found = walk.violation {
                violation = "after \(path): \(found)"
                return
            }
            guard path.count < Self.depth else { return }
            for event in VisibilityWalk.Event.allCases where violation == nil {
                var next = walk
                guard next.take(event) else { continue }
                sequences += 1
                path.append(event)
                explore(next)
                path.removeLast()
            }
        }

        for settings in VisibilityWalk.settings.indices where violation == nil {
            explore(VisibilityWalk(settings: settings))
        }
        #expect(violation == nil)
        #expect(sequences >= 1_000_000)
        print("Explored \(sequences) distinct sequences of up to \(Self.depth) events.")
    }
}
