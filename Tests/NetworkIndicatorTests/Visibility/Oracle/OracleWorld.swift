@testable import NetworkIndicator

/// A manager under test, with the objects and tokens that its callers hold.
@MainActor
final class OracleWorld {
    let clock = OracleClock()
    private(set) var manager: NetworkIndicatorManager!
    private(set) var indicator: OracleIndicator!
    private(set) var second: OracleIndicator!
    private(set) var monitor: OracleMonitor?

    private var objects = [OracleToken?](repeating: nil, count: OracleScript.slots.count)
    private var opaque = [NetworkTaskToken?](repeating: nil, count: OracleScript.slots.count)
    private var liveObjects: Set<Int> = []
    private var liveOpaque: Set<Int> = []
    private var counted = 0
    private var secondAttachment: NetworkIndicatorManager.Attachment?
    private var stepsDuringSetVisible: [OracleScript.Step] = []
    private var isEnabled = true

    private(set) var settings = OracleScript.Settings()
    /// Ends of weak tasks that the manager may not have detected yet.
    private var undetected = 0
    /// Calls that had no effect and that monitors must receive.
    private(set) var misuses = 0
    /// The expected state after each step within `setVisible`, and whether the step began, finished or found a live task.
    var duringSetVisible: [(truth: OracleReference.Truth, seesLiveTask: Bool)] = []
    private var hasSeenLiveTask = false
    private(set) var violation: String?

    init(isMonitored: Bool) {
        manager = NetworkIndicatorManager(configuration: .standard, scheduler: clock)
        indicator = OracleIndicator(clock: clock) { [unowned self] in
            guard !stepsDuringSetVisible.isEmpty else { return }
            perform(stepsDuringSetVisible.removeFirst())
            duringSetVisible.append((truth, seesLiveTask()))
        }
        second = OracleIndicator(clock: clock)
        manager.attach(indicator)
        if isMonitored {
            monitor = OracleMonitor()
            manager.addMonitor(monitor!)
        }
    }

    var isSecondAttached: Bool { secondAttachment != nil }
    var hasLiveObjects: Bool { !liveObjects.isEmpty }

    var truth: OracleReference.Truth {
        OracleReference.Truth(
            live: liveObjects.count + liveOpaque.count + counted, undetected: undetected, isEnabled: isEnabled,
            settings: settings)
    }

    /// The number of the manager's weak tasks, examined or not.
    private var trackedObjects: Int { manager.tracker.read(\.tasks.weakCount) }

    /// Updates the undetected ends: the manager may have detected any of them, and must not have ended other tasks.
    func updateUndetected() {
        let left = trackedObjects - liveObjects.count
        if left < 0 { fail("a live object's task is gone") }
        if left > undetected { fail("an ended task is back") }
        undetected = left
    }

    /// Whether a live task was begun, finished or found since the last call.
    func seesLiveTask() -> Bool {
        defer { hasSeenLiveTask = false }
        return hasSeenLiveTask
    }

    func fail(_ what: String) { if violation == nil { violation = what } }

    private func expect(_ condition: Bool, _ what: @autoclosure () -> String) { if !condition { fail(what()) } }

    // MARK: Steps

    func perform(_ step: OracleScript.Step) {
        switch step {
        case .begin(let slot): begin(slot)
        case .finish(let slot): finish(slot)
        case .drop(let slot): drop(slot)
        case .beginOpaque(let slot):
            if opaque[slot] == nil {
                hasSeenLiveTask = true
                opaque[slot] = manager.beganNetworkTask()
                liveOpaque.insert(slot)
            }
        case .finishOpaque(let slot):
            guard let token = opaque[slot] else { break }
            if liveOpaque.remove(slot) == nil { misuses += 1 } else { hasSeenLiveTask = true }
            manager.finishedNetworkTask(forToken: token)
        case .dropOpaque(let slot):
            opaque[slot] = nil
            if liveOpaque.remove(slot) != nil { hasSeenLiveTask = true }
        case .increment:
            counted += 1
            hasSeenLiveTask = true
            manager.incrementActivityCount()
        case .decrement:
            if counted == 0 { misuses += 1 } else { (counted, hasSeenLiveTask) = (counted - 1, true) }
            manager.decrementActivityCount()
        case .reset:
            (liveObjects, liveOpaque, counted, undetected) = ([], [], 0, 0)
            hasSeenLiveTask = true
            manager.reset()
        case .enable(let isEnabled):
            self.isEnabled = isEnabled
            manager.isEnabled = isEnabled
        case .configure(let settings):
            self.settings = settings
            manager.configuration = settings.configuration
        case .attach: secondAttachment = manager.attach(second)
        case .detach:
            secondAttachment?.detach()
            secondAttachment = nil
        case .count:
            let count = manager.activeTaskCount
            hasSeenLiveTask = truth.live > 0
            expect(count == truth.live, "counted \(count) tasks instead of \(truth.live)")
            expect(trackedObjects == liveObjects.count, "the count did not remove tasks that are over")
        case .hasTasks:
            let hasTasks = manager.hasActiveTasks
            hasSeenLiveTask = truth.live > 0
            expect(hasTasks == (truth.live > 0), "said \(hasTasks) with \(truth.live) tasks")
        case .duringSetVisible(let step): stepsDuringSetVisible.append(step)
        case .wait, .stall: break  // the run performs these itself
        }
    }

    private func object(_ slot: Int) -> OracleToken {
        if let object = objects[slot] { return object }
        let object = OracleToken(finishing: slot == OracleScript.selfFinishingSlot ? manager : nil)
        objects[slot] = object
        return object
    }

    private func begin(_ slot: Int) {
        if !liveObjects.insert(slot).inserted { misuses += 1 }
        hasSeenLiveTask = true
        manager.beganNetworkTask(withToken: object(slot))
    }

    private func finish(_ slot: Int) {
        let before = trackedObjects
        let object = object(slot)
        let wasTask = liveObjects.remove(slot) != nil
        manager.finishedNetworkTask(forToken: object)
        // An object that is no task may have the address of a deallocated token. It then ends that token's task.
        if !wasTask, trackedObjects == before { misuses += 1 } else { hasSeenLiveTask = true }
    }

    private func drop(_ slot: Int) {
        guard objects[slot] != nil else { return }
        let before = trackedObjects
        let wasTask = liveObjects.remove(slot) != nil
        objects[slot] = nil
        if slot != OracleScript.selfFinishingSlot {
            if wasTask { undetected += 1 }
        } else if wasTask {
            hasSeenLiveTask = true
            expect(trackedObjects == before - 1, "a finish from an object's deinit ended nothing")
        } else if trackedObjects == before {
            misuses += 1
        }
    }

    // MARK: The end

    /// Releases the manager, then its callers' objects, and checks for leaks.
    func end() {
        let tracker = { [weak tracker = manager.tracker] in tracker }
        let oldMonitor = { [weak monitor] in monitor }
        let oldIndicator = { [weak indicator] in indicator }
        let wasVisible = manager.isIndicatorVisible
        stepsDuringSetVisible = []
        manager = nil
        if let received = monitor?.received.visibility, wasVisible {
            expect(received.last == false, "monitors have not received the change to off at the end of the manager")
        }
        monitor = nil
        clock.runMain()
        expect(!indicator.isVisible && !second.isVisible, "an indicator stays on without its manager")
        expect(clock.timerCount == 0, "\(clock.timerCount) timers survive their manager")
        secondAttachment = nil
        objects = []
        opaque = []
        if let violation = indicator.violation ?? second.violation { fail(violation) }
        indicator = nil
        second = nil
        expect(oldIndicator() == nil, "an indicator leaks")
        expect(oldMonitor() == nil, "a monitor leaks")
        expect(tracker() == nil, "the state that the manager shared with its tasks leaks")
    }
}

extension OracleScript.Settings {
    var configuration: NetworkIndicatorManager.Configuration {
        var configuration = NetworkIndicatorManager.Configuration.standard
        configuration.showDelay = OracleClock.tick * showDelay
        configuration.hideDelay = OracleClock.tick * hideDelay
        configuration.minimumVisibleDuration = OracleClock.tick * minimumVisible
        configuration.completionCheckInterval = OracleClock.tick * interval
        configuration.longRunningTaskThreshold = threshold.map { OracleClock.tick * $0 }
        return configuration
    }
}
