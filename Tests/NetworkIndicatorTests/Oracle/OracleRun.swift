import NetworkIndicator
import NetworkIndicatorTestKit

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@MainActor
final class OracleRun {
    private let scheduler = ManualScheduler()
    private let origin: SuspendingClock.Instant
    private var manager: NetworkIndicatorManager!
    private var promises = OraclePromises()
    private let census = OracleCensus()
    private var isElsewhere = false
    private var isInTurn = false
    private var objects = [OracleObject?](repeating: nil, count: OracleScript.slots.count)
    private var objectCount = 0
    /// The name of the object that each conditional task's condition captures.
    private var captures: [String: String] = [:]
    /// The objects that no slot holds, and the time since which no task under way holds them either.
    private var dropped: [String: Duration?] = [:]
    private var lastReceived: Bool?
    private let second = RecordingIndicator()
    private var secondAttachment: NetworkIndicatorManager.Attachment?
    private var ledger: OracleLedger?
    private var waits: [OracleWait] = []
    private var stepInNextCall: OracleScript.Step?
    private var violation: String?

    private init(_ script: OracleScript) {
        origin = scheduler.now
        manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        promises.configure(.standard)
        let screen = OracleObject.Screen(socket: nil, census)
        manager.attach { [unowned self] isVisible in withExtendedLifetime(screen) { receive(isVisible) } }
        guard script.isMonitored else { return }
        ledger = OracleLedger()
        manager.attach(monitor: ledger!.monitor)
    }

    static func violation(of script: OracleScript) async -> String? {
        let run = OracleRun(script)
        for step in script.steps where run.violation == nil { await run.take(step) }
        await run.take(.run(0))
        await run.end()
        return run.violation
    }

    private var now: Duration { origin.duration(to: scheduler.now) }

    private func fail(_ promise: String?) { violation = violation ?? promise }

    // MARK: Time

    private func take(_ step: OracleScript.Step) async {
        switch step {
        case .run(let milliseconds):
            await runMain(for: .zero)
            var elapsed = 0
            while elapsed < milliseconds, violation == nil {
                let tick = elapsed < 120 ? 10 : min(50, milliseconds - elapsed)
                await runMain(for: .milliseconds(tick))
                elapsed += tick
            }
        case .block(let milliseconds):
            scheduler.stall(for: .milliseconds(milliseconds))
        case .waitUntilIdle(let timeout):
            await runMain(for: .zero)
            waits.append(OracleWait(manager, timeout: timeout.map { .milliseconds($0) }, at: now))
            await runMain(for: .zero)
        default:
            perform(step)
            updateDropped()
            settleWaits()
            fail(ledger?.violation(promises))
        }
    }

    private func runMain(for duration: Duration) async {
        let start = now
        isInTurn = true
        scheduler.advance(by: duration)
        isInTurn = false
        await runWaits()
        promises.mainRan(from: start, to: now)
        updateDropped()
        fail(promises.violation(at: now))
        if manager.isIndicatorVisible != promises.isOn { fail("isIndicatorVisible differs from the indicator") }
        if second.isVisible != (promises.isOn && secondAttachment != nil) { fail("the second indicator differs") }
        for (name, since) in dropped {
            guard let since, now >= since + promises.longestInterval else { continue }
            fail("the condition of an ended task retains \(name.split(separator: " ")[0])")
        }
        if promises.isAtRest, waits.isEmpty, scheduler.timerCount > 0 { fail("a timer runs at rest") }
        if census.deallocatedElsewhere > 0 { fail("a retained object was deallocated on a thread that doesn't own it") }
        fail(ledger?.violation(promises))
    }

    private func runWaits() async {
        guard !waits.isEmpty else { return }
        for _ in 0..<3 {
            settleWaits()
            await Task.yield()
            scheduler.advance(by: .zero)
        }
        settleWaits()
        for wait in waits { fail(wait.violation(promises, at: now)) }
    }

    private func settleWaits() {
        for wait in waits {
            wait.executor.run()
            if wait.result != nil { fail(wait.violation(promises, at: now)) }
        }
        waits.removeAll { $0.result != nil }
        promises.isAwaited = !waits.isEmpty
    }

    // MARK: Calls

    private func receive(_ isVisible: Bool) {
        if isVisible == lastReceived { fail("an indicator received a value twice in a row") }
        if isVisible != promises.isOn { fail(promises.change(to: isVisible, at: now)) }
        lastReceived = isVisible
        performStepInCall()
    }

    private func performStepInCall(ofCondition isCondition: Bool = false) {
        guard let step = stepInNextCall, manager != nil else { return }
        // The check in progress may already have called the condition that this step changes, so the step waits for a
        // call of the indicator.
        if isCondition, case .makeConditionFalse = step { return }
        stepInNextCall = nil
        perform(step)
    }

    private func perform(_ step: OracleScript.Step) {
        switch step {
        case .begin(let slot): begin(slot, capturing: nil, throughScreen: false)
        case .beginCapturing(let slot, let other, let throughScreen):
            begin(slot, capturing: objects[other], throughScreen: throughScreen)
        case .finish(let slot):
            guard let object = objects[slot] else { break }
            promises.finish(object.name, at: now)
            object.finish(manager, run: run)
        case .drop(let slot):
            guard let object = objects[slot], object.kind != .counted else { break }
            dropped[object.name] = .some(nil)
            objects[slot] = nil
        case .makeConditionFalse(let slot):
            guard let object = objects[slot], object.kind == .conditional else { break }
            object.isUnderWay.value = false
            promises.abandon(object.name, at: now)
        case .reset:
            promises.finish(at: now)
            run { [manager] in manager!.reset() }
        case .enable(let isEnabled):
            promises.isEnabled = isEnabled
            run { [manager] in manager!.isEnabled = isEnabled }
        case .configure(let configuration):
            promises.configure(configuration)
            run { [manager] in manager!.updateConfiguration { $0 = configuration } }
        case .attachOrDetach:
            secondAttachment?.detach()
            secondAttachment = secondAttachment == nil ? manager.attach(second) : nil
        case .query: query()
        case .inNextCall(let step): stepInNextCall = step
        case .elsewhere(let step):
            isElsewhere = true
            perform(step)
            isElsewhere = false
        case .run, .block, .waitUntilIdle: break
        }
    }

    private func run(_ call: @escaping @Sendable () -> Void) {
        if isElsewhere { OracleThread.run(call) } else { call() }
    }

    private func begin(_ slot: Int, capturing captured: OracleObject?, throughScreen: Bool) {
        let kind = OracleScript.slots[slot]
        if objects[slot] == nil {
            objectCount += 1
            objects[slot] = OracleObject("\(kind) \(objectCount)", kind, manager, census) { [weak self] name, kind in
                self?.willEnd(name, kind)
            }
        }
        let object = objects[slot]!
        if kind == .conditional { captures[object.name] = captured?.name }
        if promises.liveNames.contains(object.name), kind == .opaque || kind == .counted { return }
        promises.begin(object.name, isPolled: kind != .opaque && kind != .counted, at: now)
        let screen = throughScreen ? captured.map { OracleObject.Screen(socket: $0, census) } : nil
        object.begin(manager, capturing: screen ?? captured, run: run) { [weak self] in
            self?.performStepInCall(ofCondition: true)
        }
    }

    private func willEnd(_ name: String, _ kind: OracleScript.Kind) {
        dropped[name] = nil
        if isInTurn { promises.lastDeallocationInTurn = now }
        switch kind {
        case .object, .conditional: promises.abandon(name, at: now)
        case .selfFinishing, .opaque: promises.finish(name, at: now)
        case .counted: break
        }
    }

    private func updateDropped() {
        guard !dropped.isEmpty else { return }
        let live = promises.liveNames
        let held = Set(captures.filter { live.contains($0.key) }.values)
        for (name, since) in dropped { dropped[name] = .some(held.contains(name) ? nil : since ?? now) }
    }

    private func query() {
        let isExact = stepInNextCall == nil
        let (entries, count) = (manager.entryCount, manager.activeTaskCount)
        if isExact, count != promises.liveNames.count { fail("activeTaskCount is wrong") }
        if isExact, manager.entryCount != entries { fail("a query changed the tasks") }
    }

    // MARK: The end

    private func end() async {
        stepInNextCall = nil
        for wait in waits { wait.task.cancel() }
        await runWaits()
        waits = []
        promises.isEnabled = false
        let last = Lock(manager)
        (manager, isElsewhere) = (nil, objectCount.isMultiple(of: 2))
        run { withExtendedLifetime(last.withLock { $0.take() }) {} }
        scheduler.advance(by: .zero)
        if promises.isOn || second.isVisible { fail("an indicator is on without its manager") }
        if scheduler.timerCount > 0 { fail("a timer survives its manager") }
        fail(ledger?.violation(nil))
        objects = []
        scheduler.advance(by: .zero)
        if census.living > 0 { fail("the released manager retains an object") }
        if census.deallocatedElsewhere > 0 { fail("a retained object was deallocated on a thread that doesn't own it") }
    }
}
