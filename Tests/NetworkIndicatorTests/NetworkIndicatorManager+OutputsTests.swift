import NetworkIndicatorTestKit
import Observation
import Testing

@testable import NetworkIndicator

@MainActor
@Suite(.timeLimit(.minutes(10)))
final class OutputsTests: ManagerSuite {
    // MARK: Indicators

    private func attachRecorder() -> (values: Lock<[Bool]>, NetworkIndicatorManager.Attachment) {
        let values = Lock<[Bool]>([])
        return (values, manager.attach { isVisible in values.withLock { $0.append(isVisible) } })
    }

    @Test func anIndicatorDetachedBeforeItsFirstValueReceivesNone() {
        let (values, attachment) = attachRecorder()
        attachment.detach()
        settle()
        #expect(values.withLock { $0 } == [])
    }

    @Test(arguments: [false, true]) func aSecondDetachmentKeepsNoMonitor(isManagerReleased: Bool) {
        weak var released: RecordingMonitor?
        do {
            var manager: NetworkIndicatorManager? = NetworkIndicatorManager(scheduler: scheduler)
            let monitor = RecordingMonitor()
            released = monitor
            let attachment = manager!.attach(monitor: monitor)
            if isManagerReleased { manager = nil } else { attachment.detach() }
            settle()
            attachment.detach()
            withExtendedLifetime(manager) {}
        }
        #expect(released == nil)
    }

    private final class Indicator: ActivityIndicator {
        var calls: [String] = []
        weak var next: NetworkIndicatorManager?
        nonisolated init() {}
        func setVisible(_ isVisible: Bool) {
            calls.append("\(isVisible)")
            if !isVisible { next?.attach(self) }
        }
        func didDetach() { calls.append("detached") }
    }

    @Test(arguments: [false, true], ["detach", "release"])
    func anIndicatorLearnsOnceThatItIsDetached(isOn: Bool, end: String) {
        let indicator = Indicator()
        var manager: NetworkIndicatorManager? = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let attachment = manager!.attach(indicator)
        if isOn { manager!.incrementActivityCount() }
        settle()
        if end == "detach" { attachment.detach() } else { manager = nil }
        attachment.detach()
        settle()
        #expect(indicator.calls == (isOn ? ["true", "false", "detached"] : ["false", "detached"]))
        manager?.reset()
        manager = nil
        settle()
        #expect(indicator.calls.count { $0 == "detached" } == 1)
    }

    @Test func anIndicatorThatAttachesItselfWhileItTurnsOffIsNotDetached() {
        manager.incrementActivityCount()
        let indicator = Indicator()
        indicator.next = manager
        let attachment = manager.attach(indicator)
        settle()
        attachment.detach()
        settle()
        #expect(indicator.calls == ["true", "false", "true"])
    }

    @Test func anAttachmentToAnOwnerEndsWithTheOwner() {
        final class Owner: Sendable {}
        final class Captured: Sendable {}
        let values = Lock<[Bool]>([])
        var (owner, captured): (Owner?, Captured?) = (Owner(), Captured())
        weak let released = captured
        manager.attach(to: owner!) { [captured] owner, isVisible in
            withExtendedLifetime((owner, captured)) { values.withLock { $0.append(isVisible) } }
        }
        captured = nil
        manager.incrementActivityCount()
        settle()
        #expect(values.withLock { $0 } == [true] && manager.observerCount == 1 && released != nil)
        owner = nil
        manager.decrementActivityCount()
        settle()
        #expect(values.withLock { $0 } == [true] && manager.observerCount == 0 && released == nil)
    }

    // MARK: Warnings

    #if DEBUG
    @Test(arguments: ["indicator", "observation", "stream", "nothing"])
    func tasksThatOnlyAnotherManagerWouldShowCauseOneWarning(observer: String) {
        let other = NetworkIndicatorManager(scheduler: scheduler)
        _ = other.isIndicatorVisible
        switch observer {
        case "indicator": manager.attach(RecordingIndicator())
        case "observation": _ = manager.isIndicatorVisible
        case "stream": _ = manager.visibilityUpdates
        default: break
        }
        let isKnown = { ActivityTracker.observed.withLock { $0.contains(ObjectIdentifier(self.manager.tracker)) } }
        #expect(isKnown() == (observer != "nothing"))
        manager.incrementActivityCount()
        settle()
        #expect(isKnown())
        withExtendedLifetime(other) {}
    }
    #endif

    @Test func attachedTwiceHasOneAttachment() {
        let indicator = RecordingIndicator()
        #expect(manager.attach(indicator) === manager.attach(indicator))
        manager.incrementActivityCount()
        settle()
        #expect(indicator.history == [true])
    }

    @Test func anIndicatorInANestedLoopDoesNotHoldUpTheOthers() {
        let (scheduler, others) = (scheduler, [RecordingIndicator(), RecordingIndicator()])
        let seen = Lock<[Bool]>([])
        manager.attach(others[0])
        manager.attach { isVisible in
            guard isVisible else { return }
            scheduler.advance(by: .zero)
            seen.withLock { $0 = others.map(\.isVisible) }
        }
        manager.attach(others[1])
        settle()
        manager.incrementActivityCount()
        settle()
        #expect(seen.withLock { $0 } == [true, true])
    }

    // MARK: Streams

    @Test func everyStreamYieldsThePresentValueAndEveryChange() async {
        var early = manager.visibilityUpdates.makeAsyncIterator()
        manager.incrementActivityCount()
        settle()
        var late = manager.visibilityUpdates.makeAsyncIterator()
        manager.decrementActivityCount()
        settle()
        #expect(await [early.next(), early.next(), early.next()] == [false, true, false])
        #expect(await [late.next(), late.next()] == [true, false])
    }

    @Test func streamsReceiveChangesThatIndicatorsMiss() async {
        let (manager, scheduler) = (manager, scheduler)
        manager.attach { isVisible in
            guard isVisible else { return }
            manager.decrementActivityCount()
            scheduler.advance(by: .seconds(1))
        }
        let (other, _) = attachRecorder()
        settle()
        var updates = manager.visibilityUpdates.makeAsyncIterator()
        manager.incrementActivityCount()
        settle()
        #expect(await [updates.next(), updates.next(), updates.next()] == [false, true, false])
        #expect(other.withLock { $0 } == [false])
    }

    @Test func streamsEndWithTheManager() async {
        var manager: NetworkIndicatorManager? = NetworkIndicatorManager(
            configuration: .immediate, scheduler: scheduler)
        let updates = manager!.visibilityUpdates
        manager!.incrementActivityCount()
        settle()
        manager = nil
        settle()
        var values: [Bool] = []
        for await value in updates { values.append(value) }
        #expect(values == [false, true, false])
    }

    // MARK: Observation

    @Test func visibilityAndEnablingAreObservable() {
        let changes = Lock(0)
        func observe() {
            withObservationTracking {
                _ = manager.isIndicatorVisible
                _ = manager.isEnabled
            } onChange: {
                changes.withLock { $0 += 1 }
            }
        }
        observe()
        manager.incrementActivityCount()
        settle()
        #expect(changes.withLock { $0 } == 1)
        observe()
        manager.isEnabled = false
        #expect(changes.withLock { $0 } == 2)
        observe()
        settle()
        #expect(changes.withLock { $0 } == 3)
        #expect(!manager.isIndicatorVisible)
    }
}
