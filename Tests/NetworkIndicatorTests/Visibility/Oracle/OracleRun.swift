import NetworkIndicator

/// Runs a script against a manager and the reference, and compares them at each tick.
@MainActor
struct OracleRun {
    private let world: OracleWorld
    private var reference = OracleReference()
    /// The tick since which tasks are left, but no object of a caller is alive.
    private var unnoticedSince: Int?
    /// The tick since which monitors can expect reports of long-running tasks.
    private var undisturbedSince = 0

    private init(_ script: OracleScript) { world = OracleWorld(isMonitored: script.isMonitored) }

    /// - Returns: The first difference, or `nil`.
    static func violation(of script: OracleScript) -> String? {
        var run = OracleRun(script)
        for step in script.steps where run.world.violation == nil { run.take(step) }
        run.take(.wait(0))
        run.world.end()
        return run.world.violation
    }

    private mutating func take(_ step: OracleScript.Step) {
        switch step {
        case .wait(let ticks):
            mainTurn()
            for _ in 0..<ticks where world.violation == nil {
                passTick()
                mainTurn()
            }
        case .stall(let ticks):
            for _ in 0..<ticks { passTick() }
            undisturbedSince = world.clock.tickCount
        default:
            if case .configure = step { undisturbedSince = world.clock.tickCount }
            world.perform(step)
            world.updateUnnoticed()
            reference.note(world.truth)
        }
    }

    private mutating func passTick() {
        world.clock.passTick()
        reference.passTick()
    }

    private mutating func mainTurn() {
        var truth = world.truth
        world.clock.runMain()
        world.updateUnnoticed()
        // Steps within `setVisible` cause no undetected ends, so the remaining ones are older.
        truth.unnoticed = world.truth.unnoticed
        reference.note(truth)
        while reference.mainTurn() {
            guard !world.truthsWhenTold.isEmpty else { continue }
            var truth = world.truthsWhenTold.removeFirst()
            truth.unnoticed = world.truth.unnoticed
            reference.note(truth)
            undisturbedSince = world.clock.tickCount
            if reference.changes.count > 1000 { return world.fail("the indicator flickers without end") }
        }
        compare()
        judgeTimers()
        if let monitor = world.monitor { judge(monitor.heard) }
    }

    private func compare() {
        let told = world.indicator.changes
        let expected = reference.changes
        if told != expected { world.fail("the indicator went \(told), but should have gone \(expected)") }
        let isVisible = world.indicator.isVisible
        if world.manager.isIndicatorVisible != isVisible { world.fail("the manager says \(!isVisible)") }
        if world.second.isVisible != (isVisible && world.isSecondAttached) {
            world.fail("the second indicator is \(isVisible ? "off" : "on")")
        }
        if let violation = world.indicator.violation ?? world.second.violation { world.fail(violation) }
    }

    private mutating func judgeTimers() {
        let now = world.clock.tickCount
        if world.hasLiveObjects || world.truth.unnoticed == 0 {
            unnoticedSince = nil
        } else {
            unnoticedSince = unnoticedSince ?? now
            if now - unnoticedSince! > world.settings.interval {
                world.fail("no poll for \(now - unnoticedSince!) ticks")
            }
        }
        if reference.isAtRest, world.clock.timerCount > 0 { world.fail("a timer runs at rest") }
    }

    private func judge(_ heard: OracleMonitor.Heard) {
        if let violation = heard.violation { world.fail(violation) }
        if heard.visibility != reference.changes.map(\.isVisible) { world.fail("monitors heard \(heard.visibility)") }
        if heard.misuses != world.misuses { world.fail("heard of \(heard.misuses) misuses of \(world.misuses)") }
        let tasks = world.truth.live + world.truth.unnoticed
        if heard.open.count != tasks { world.fail("heard of \(heard.open.count) tasks of \(tasks)") }
        guard let threshold = world.settings.threshold else { return }
        let patience = threshold + 2 * world.settings.interval + 1
        guard world.clock.tickCount - undisturbedSince > patience else { return }
        for (id, began) in heard.open where !heard.reported.contains(id) {
            if began.duration(to: world.clock.now) > OracleClock.tick * patience {
                world.fail("\(id) was never reported as still running")
            }
        }
    }
}
