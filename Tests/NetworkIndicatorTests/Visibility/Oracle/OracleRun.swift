import NetworkIndicator

/// Runs a script against a manager and the reference, and compares them at each tick.
@MainActor
struct OracleRun {
    private let world: OracleWorld
    private var reference = OracleReference()
    /// The tick since which the manager has had weak tasks, but no caller's object is alive.
    private var undetectedSince: Int?
    /// The last tick at which a stall, a new configuration or a nested call could delay reports of long-running tasks.
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
            world.updateUndetected()
            reference.note(world.truth, seesLiveTask: world.seesLiveTask())
        }
    }

    private mutating func passTick() {
        world.clock.passTick()
        reference.passTick()
    }

    private mutating func mainTurn() {
        var truth = world.truth
        let turns = world.clock.turnCount
        world.clock.runMain()
        world.updateUndetected()
        // Steps within `setVisible` cause no undetected ends, so the remaining ones are older.
        truth.undetected = world.truth.undetected
        reference.note(truth, seesLiveTask: world.clock.turnCount > turns && truth.live > 0)
        while reference.mainTurn() {
            guard !world.duringSetVisible.isEmpty else { continue }
            var (truth, seesLiveTask) = world.duringSetVisible.removeFirst()
            truth.undetected = world.truth.undetected
            reference.note(truth, seesLiveTask: seesLiveTask)
            undisturbedSince = world.clock.tickCount
            if reference.changes.count > 1000 { return world.fail("the indicator flickers without end") }
        }
        compare()
        judgeTimers()
        if let monitor = world.monitor { judge(monitor.received) }
    }

    private func compare() {
        let actual = world.indicator.changes
        let expected = reference.changes
        if actual != expected { world.fail("the indicator went \(actual), but should have gone \(expected)") }
        let isVisible = world.indicator.isVisible
        if world.manager.isIndicatorVisible != isVisible { world.fail("the manager says \(!isVisible)") }
        if world.second.isVisible != (isVisible && world.isSecondAttached) {
            world.fail("the second indicator is \(isVisible ? "off" : "on")")
        }
        if let violation = world.indicator.violation ?? world.second.violation { world.fail(violation) }
    }

    private mutating func judgeTimers() {
        let now = world.clock.tickCount
        if world.hasLiveObjects || world.truth.undetected == 0 {
            undetectedSince = nil
        } else {
            undetectedSince = undetectedSince ?? now
            if now - undetectedSince! > world.settings.interval {
                world.fail("no poll for \(now - undetectedSince!) ticks")
            }
        }
        if reference.isAtRest, world.clock.timerCount > 0 { world.fail("a timer runs at rest") }
    }

    private func judge(_ received: OracleMonitor.Received) {
        if let violation = received.violation { world.fail(violation) }
        if received.visibility != reference.changes.map(\.isVisible) {
            world.fail("monitors received \(received.visibility)")
        }
        if received.misuses != world.misuses {
            world.fail("monitors received \(received.misuses) misuses of \(world.misuses)")
        }
        let tasks = world.truth.live + world.truth.undetected
        if received.open.count != tasks { world.fail("monitors received \(received.open.count) tasks of \(tasks)") }
        guard let threshold = world.settings.threshold else { return }
        let timeout = threshold + 2 * world.settings.interval + 1
        guard world.clock.tickCount - undisturbedSince > timeout else { return }
        for (id, began) in received.open where !received.reported.contains(id) {
            if began.duration(to: world.clock.now) > OracleClock.tick * timeout {
                world.fail("\(id) was never reported as still running")
            }
        }
    }
}
