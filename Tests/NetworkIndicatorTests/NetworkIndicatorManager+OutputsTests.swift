import Foundation
import NetworkIndicatorTestKit
import Observation
import Testing

@testable import NetworkIndicator

/// Indicators, streams and observation.
@MainActor
@Suite(.timeLimit(.minutes(10)))
final class ObservingTests: ManagerSuite {
    // MARK: Attaching

    @Test func attachedWhileVisibleIsShownAtOnce() {
        manager.incrementActivityCount()
        settle()
        let indicator = RecordingIndicator()
        manager.attach(indicator)
        settle()
        #expect(indicator.history == [true])
    }

    @Test func attachedTwiceHasOneAttachment() {
        let indicator = RecordingIndicator()
        #expect(manager.attach(indicator) === manager.attach(indicator))
        manager.incrementActivityCount()
        settle()
        #expect(indicator.history == [true])
    }

    @Test func closureIsAnIndicator() {
        let history = Lock<[Bool]>([])
        let attachment = manager.attach { isVisible in history.withLock { $0.append(isVisible) } }
        manager.withNetworkTask { settle() }
        settle()
        #expect(history.withLock { $0 } == [true, false])
        attachment.detach()
        manager.withNetworkTask { settle() }
        #expect(history.withLock { $0 } == [true, false])
    }

    /// An indicator may release a token and run a nested loop, as a modal panel does.
    @Test func tokenReleasedByAnIndicatorEndsInItsNestedLoop() {
        var token: Token? = Token()
        manager.beganNetworkTask(withToken: token!)
        let (manager, scheduler) = (manager, scheduler)
        let counts = Lock<[Int]>([])
        let release = { token = nil }
        nonisolated(unsafe) let releaseToken = release  // called on the main actor only
        manager.attach { isVisible in
            guard isVisible else { return }
            releaseToken()
            scheduler.advance(by: .seconds(5))
            counts.withLock { $0.append(manager.entryCount) }
        }
        settle()
        #expect(counts.withLock { $0 } == [0])
    }

    /// The `deinit` of a token that a turn releases last may run a nested loop.
    @Test func nestedLoopOfATokenKeepsTheOrderOfValues() {
        final class LoopingToken: Sendable {
            let scheduler: ManualScheduler
            init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }
            deinit { MainActor.assumeIsolated { [scheduler] in scheduler.advance(by: .seconds(5)) } }
        }
        let indicator = RecordingIndicator()
        manager.attach(indicator)
        settle()
        let token = Lock<LoopingToken?>(LoopingToken(scheduler))
        manager.beganNetworkTask(withToken: token.withLock { $0! }) { _ in
            withExtendedLifetime(token.withLock { $0.take() }) { true }
        }
        scheduler.advance(by: .seconds(5))
        #expect(!manager.isIndicatorVisible)
        #expect(indicator.history == [true, false])
        #expect(scheduler.timerCount == 0)
    }

    /// A monitor that runs a nested loop delays the delivery of `true` until the indicator is off again.
    @Test func nestedLoopOfAMonitorKeepsTheOrderOfValues() {
        struct NestedLoop: NetworkTaskMonitor {
            let run: @MainActor @Sendable () -> Void
            func networkIndicator(_ event: NetworkTaskEvent) {
                if case .visibilityChanged(true) = event { MainActor.assumeIsolated { run() } }
            }
        }
        let indicator = RecordingIndicator()
        let (manager, scheduler) = (manager, scheduler)
        manager.attach(indicator)
        manager.attach(
            NestedLoop {
                manager.decrementActivityCount()
                scheduler.advance(by: .seconds(1))
            })
        manager.incrementActivityCount()
        scheduler.advance(by: .seconds(5))
        #expect(!manager.isIndicatorVisible)
        #expect(indicator.history == [true, false])
    }

    @Test func detachingHidesAVisibleIndicator() {
        let indicator = RecordingIndicator()
        let attachment = manager.attach(indicator)
        manager.incrementActivityCount()
        settle()
        attachment.detach()
        attachment.detach()
        settle()
        #expect(indicator.history == [true, false])
        manager.decrementActivityCount()
        settle()
        #expect(indicator.history == [true, false])
    }

    @Test func detachedAndAttachedWithinATurnStaysOn() {
        let indicator = RecordingIndicator()
        let attachment = manager.attach(indicator)
        manager.incrementActivityCount()
        settle()
        attachment.detach()
        manager.attach(indicator)
        settle()
        #expect(indicator.history == [true])
    }

    @Test func releasingTheAttachmentDoesNotDetach() {
        weak var weakIndicator: RecordingIndicator?
        do {
            let indicator = RecordingIndicator()
            weakIndicator = indicator
            manager.attach(indicator)
        }
        manager.incrementActivityCount()
        settle()
        #expect(weakIndicator?.history == [true])
    }

    @Test func detachedIndicatorIsReleased() {
        weak var weakIndicator: RecordingIndicator?
        do {
            let indicator = RecordingIndicator()
            weakIndicator = indicator
            manager.attach(indicator).detach()
        }
        settle()
        #expect(weakIndicator == nil)
    }

    /// An indicator that calls the manager from `setVisible`.
    private final class CallingIndicator: ActivityIndicator {
        let action: @MainActor @Sendable (Bool) -> Void
        private(set) var history: [Bool] = []

        nonisolated init(_ action: @escaping @MainActor @Sendable (Bool) -> Void) { self.action = action }

        func setVisible(_ isVisible: Bool) {
            history.append(isVisible)
            action(isVisible)
        }
    }

    @Test func indicatorMayCallTheManager() {
        // In its first five calls, the indicator disables the manager when it goes on, and enables it when it goes off.
        // Every indicator receives each change.
        let calls = Lock(0)
        let indicator = CallingIndicator { [manager] isVisible in
            let count = calls.withLock {
                $0 += 1
                return $0
            }
            if count < 6 { manager.isEnabled = !isVisible }
        }
        let other = RecordingIndicator()
        manager.attach(indicator)
        manager.attach(other)
        manager.incrementActivityCount()
        settle()
        #expect(indicator.history == [true, false, true, false, true, false])
        #expect(other.history == indicator.history)
    }

    @Test func nestedRunLoopInsideSetVisibleKeepsTheOrder() {
        // Like a modal panel in an indicator, this runs other main-actor work during the call.
        let scheduler = scheduler
        let manager = manager
        let nested = CallingIndicator { isVisible in
            guard isVisible else { return }
            manager.decrementActivityCount()
            scheduler.advance(by: .zero)
        }
        let after = RecordingIndicator()
        manager.attach(nested)
        manager.attach(after)
        manager.incrementActivityCount()
        settle()
        #expect(nested.history == [true, false])
        #expect(after.history == [] || after.history == [true, false])
        #expect(!manager.isIndicatorVisible)
    }

    /// This applies with any number of deallocated tokens left to sweep.
    @Test func disablingHidesAtTheNextMainTurn() {
        let scheduler = TurnScheduler()
        let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        func settle() { for _ in 1...20 { scheduler.runTurn() } }
        var tokens = (0..<5000).map { _ in Token() }
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        settle()
        let indicator = RecordingIndicator()
        manager.attach(indicator)
        settle()
        tokens = []
        manager.isEnabled = false
        scheduler.runTurn()
        #expect(indicator.history == [true, false])
    }

    // MARK: Streams

    @Test func everyStreamYieldsThePresentValueAndEveryChange() async {
        var early = manager.visibilityUpdates.makeAsyncIterator()
        manager.incrementActivityCount()
        settle()
        var late = manager.visibilityUpdates.makeAsyncIterator()
        manager.decrementActivityCount()
        settle()
        #expect(await early.next() == false)
        #expect(await early.next() == true)
        #expect(await early.next() == false)
        #expect(await late.next() == true)
        #expect(await late.next() == false)
    }

    @Test func streamsEndWithTheManager() async {
        var manager: NetworkIndicatorManager? = NetworkIndicatorManager(
            configuration: .immediate, scheduler: scheduler)
        let updates = manager!.visibilityUpdates
        manager!.incrementActivityCount()
        settle()
        manager = nil
        var values: [Bool] = []
        for await value in updates { values.append(value) }
        #expect(values == [false, true, false])
    }

    @Test func releasedStreamIsRemoved() {
        do {
            let updates = manager.visibilityUpdates
            #expect(manager.observerCount == 1)
            withExtendedLifetime(updates) {}
        }
        #expect(manager.observerCount == 0)
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

    @Test func configurationChangesAreAtomic() async {
        let manager = manager
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 { manager.updateConfiguration { $0.showDelay += .milliseconds(1) } }
                }
            }
        }
        #expect(manager.configuration.showDelay == .milliseconds(4000))
    }
}
