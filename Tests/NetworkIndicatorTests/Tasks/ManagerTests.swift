import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

/// Tasks: their begins, ends and counts.
@MainActor
@Suite(.timeLimit(.minutes(10)))
final class ManagerTests: ManagerSuite {
    // MARK: Callers' objects

    @Test func tokensAreASet() {
        let token = Token()
        manager.beganNetworkTask(withToken: token)
        manager.beganNetworkTask(withToken: token)
        #expect(manager.activeTaskCount == 1)
        manager.finishedNetworkTask(forToken: token)
        #expect(manager.activeTaskCount == 0)
        manager.finishedNetworkTask(forToken: token)
        #expect(manager.activeTaskCount == 0)
        manager.beganNetworkTask(withToken: token)
        #expect(manager.activeTaskCount == 1)
    }

    @Test func deallocatedTokenEnds() {
        var token: Token? = Token()
        manager.beganNetworkTask(withToken: token!)
        #expect(manager.hasActiveTasks)
        token = nil
        #expect(!manager.hasActiveTasks)
        #expect(manager.entryCount == 0)
    }

    @Test func managerDoesNotRetainToken() {
        weak var object: Token?
        do {
            let token = Token()
            object = token
            manager.beganNetworkTask(withToken: token)
        }
        #expect(object == nil)
    }

    @Test func tokenOfTwoManagersEndsInBoth() {
        let other = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        var token: Token? = Token()
        manager.beganNetworkTask(withToken: token!)
        other.beganNetworkTask(withToken: token!)
        manager.finishedNetworkTask(forToken: token!)
        #expect(!manager.hasActiveTasks)
        #expect(other.hasActiveTasks)
        token = nil
        #expect(!other.hasActiveTasks)
    }

    @Test func finishFromTokensOwnDeinitEndsIt() {
        final class Finishing {
            let manager: NetworkIndicatorManager
            init(_ manager: NetworkIndicatorManager) { self.manager = manager }
            deinit { manager.finishedNetworkTask(forToken: self) }
        }
        let monitor = RecordingMonitor()
        manager.attach(monitor)
        var token: Finishing? = Finishing(manager)
        manager.beganNetworkTask(withToken: token!)
        token = nil
        #expect(manager.entryCount == 0)
        #expect(monitor.misuses.isEmpty)
    }

    @Test func objectAtTheAddressOfADeadTokenIsANewTask() throws {
        // The allocator reuses memory, so eventually a new object has the address of a deallocated token.
        var reused: Token?
        for _ in 0..<10_000 where reused == nil {
            var dead: Token? = Token()
            let address = ObjectIdentifier(dead!)
            manager.beganNetworkTask(withToken: dead!, label: "dead")
            dead = nil
            let next = Token()
            if ObjectIdentifier(next) == address { reused = next } else { manager.reset() }
        }
        let token = try #require(reused)
        let monitor = RecordingMonitor()
        manager.attach(monitor)
        #expect(manager.entryCount == 1)
        manager.beganNetworkTask(withToken: token, label: "new")
        #expect(manager.activeTasks.map(\.label) == ["new"])
        #expect(monitor.misuses.isEmpty)
        #expect(monitor.log == ["ended dead deallocated", "began new"])
        manager.finishedNetworkTask(forToken: token)
        #expect(manager.entryCount == 0)
    }

    @Test func finishOnAnotherThreadEndsTheTask() async {
        for _ in 0..<200 {
            let token = Token()
            manager.beganNetworkTask(withToken: token)
            let manager = manager
            let object = token
            await Task.detached { manager.finishedNetworkTask(forToken: object) }.value
            #expect(manager.entryCount == 0)
        }
    }

    // MARK: Opaque tokens

    @Test func opaqueTokenEndsWhenReleased() {
        var token: NetworkTaskToken? = manager.beganNetworkTask()
        #expect(manager.activeTaskCount == 1)
        _ = token
        token = nil
        #expect(manager.activeTaskCount == 0)
    }

    @Test func opaqueTokenEndsOnce() {
        let first = manager.beganNetworkTask()
        let second = manager.beganNetworkTask()
        first.finish()
        first.finish()
        manager.finishedNetworkTask(forToken: first)
        #expect(manager.activeTaskCount == 1)
        manager.finishedNetworkTask(forToken: second)
        #expect(manager.activeTaskCount == 0)
    }

    @Test func opaqueTokenThatOutlivesResetEndsNoOtherTask() {
        var old: NetworkTaskToken? = manager.beganNetworkTask()
        manager.reset()
        let new = manager.beganNetworkTask()
        old?.finish()
        old = nil
        #expect(manager.activeTaskCount == 1)
        new.finish()
        #expect(manager.activeTaskCount == 0)
    }

    @Test func opaqueTokenThatOutlivesItsManagerHasNoEffect() {
        var manager: NetworkIndicatorManager? = NetworkIndicatorManager(
            configuration: .immediate, scheduler: scheduler)
        let token = manager!.beganNetworkTask()
        weak var released: NetworkIndicatorManager?
        released = manager
        manager = nil
        #expect(released == nil)
        let other = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let kept = other.beganNetworkTask()
        token.finish()
        #expect(other.activeTaskCount == 1)
        kept.finish()
    }

    @Test func foreignOpaqueTokenIsMisuse() {
        let monitor = RecordingMonitor()
        manager.attach(monitor)
        let other = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let token = other.beganNetworkTask()
        manager.finishedNetworkTask(forToken: token)
        manager.beganNetworkTask(withToken: token)
        #expect(monitor.misuses.map(\.kind) == [.foreignToken, .foreignToken])
        #expect(other.activeTaskCount == 1)
        #expect(manager.activeTaskCount == 0)
    }

    @Test func scopeEndsWhenItsBodyReturnsOrThrows() async {
        struct Failure: Error {}
        let result = await manager.withNetworkTask { () async -> Int in manager.activeTaskCount }
        #expect(result == 1)
        await #expect(throws: Failure.self) {
            try await manager.withNetworkTask { () async throws(Failure) in throw Failure() }
        }
        #expect(manager.activeTaskCount == 0)
    }

    @Test func synchronousScopeEndsWhenItsBodyReturnsOrThrows() {
        struct Failure: Error {}
        #expect(manager.withNetworkTask { manager.activeTaskCount } == 1)
        #expect(throws: Failure.self) { try manager.withNetworkTask { () throws(Failure) in throw Failure() } }
        #expect(manager.activeTaskCount == 0)
    }

    // MARK: Counting and reset

    @Test func countStaysAtZero() {
        let monitor = RecordingMonitor()
        manager.attach(monitor)
        manager.decrementActivityCount(line: 7)
        #expect(manager.activeTaskCount == 0)
        #expect(monitor.misuses.map(\.kind) == [.countBelowZero])
        #expect(monitor.misuses.map(\.line) == [7])
        manager.incrementActivityCount()
        #expect(manager.activeTaskCount == 1)
    }

    @Test func resetForgetsTasksOfEveryKind() {
        let (object, token) = (Token(), manager.beganNetworkTask())
        manager.beganNetworkTask(withToken: object)
        manager.incrementActivityCount()
        #expect(manager.activeTaskCount == 3)
        manager.reset()
        #expect(manager.activeTaskCount == 0)
        scheduler.advance(by: .zero)
        #expect(scheduler.timerCount == 0)
        token.finish()
        manager.beganNetworkTask(withToken: object)
        #expect(manager.activeTaskCount == 1)
    }

    // MARK: Timers

    @Test func idleManagerHasNoTimer() {
        let manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
        #expect(scheduler.timerCount == 0)
        var object: Token? = Token()
        manager.beganNetworkTask(withToken: object!)
        scheduler.advance(by: .zero)
        #expect(scheduler.timerCount == 2)  // the poll, and the deadline for showing
        object = nil
        scheduler.advance(by: .seconds(3))
        #expect(scheduler.timerCount == 0)
        let token = manager.beganNetworkTask()
        scheduler.advance(by: .seconds(1))
        #expect(scheduler.timerCount == 0)  // visible, and nothing to poll for
        token.finish()
        scheduler.advance(by: .seconds(1))
        #expect(scheduler.timerCount == 0)
    }

    @Test func deallocatedManagerCancelsTimersAndHidesTheIndicator() {
        let indicator = RecordingIndicator()
        var manager: NetworkIndicatorManager? = NetworkIndicatorManager(
            configuration: .immediate, scheduler: scheduler)
        manager!.attach(indicator)
        let object = Token()
        manager!.beganNetworkTask(withToken: object)
        scheduler.advance(by: .zero)
        #expect(indicator.history == [true])
        #expect(scheduler.timerCount == 1)
        manager = nil
        scheduler.advance(by: .zero)
        #expect(indicator.history == [true, false])
        #expect(scheduler.timerCount == 0)
    }

    // MARK: Clamping

    @Test func settingsAreClamped() {
        var configuration = NetworkIndicatorManager.Configuration.standard
        configuration.completionCheckInterval = .milliseconds(1)
        #expect(configuration.completionCheckInterval == .milliseconds(10))
        configuration.completionCheckInterval = .seconds(Int64.max)
        #expect(configuration.completionCheckInterval == .longest)
        configuration.showDelay = .seconds(-1)
        configuration.hideDelay = .seconds(Int64.min)
        configuration.minimumVisibleDuration = .nanoseconds(-1)
        #expect(configuration.showDelay == .zero)
        #expect(configuration.hideDelay == .zero)
        #expect(configuration.minimumVisibleDuration == .zero)
        configuration.longRunningTaskThreshold = .seconds(Int64.max)
        #expect(configuration.longRunningTaskThreshold == .longest)
        configuration.longRunningTaskThreshold = nil
        #expect(configuration.longRunningTaskThreshold == nil)
        manager.completionCheckInterval = .zero
        #expect(manager.configuration.completionCheckInterval == .milliseconds(10))
    }

    @Test func longestSettingsNeitherTrapNorFire() {
        let object = Token()
        manager.updateConfiguration {
            $0.showDelay = .seconds(Int64.max)
            $0.hideDelay = .seconds(Int64.max)
            $0.minimumVisibleDuration = .seconds(Int64.max)
            $0.completionCheckInterval = .seconds(Int64.max)
        }
        manager.beganNetworkTask(withToken: object)
        scheduler.advance(by: .seconds(1000))
        #expect(!manager.isIndicatorVisible)
        let real = MainScheduler()
        let timers = [nil, Duration.longest].map {
            real.schedule(at: real.now.advanced(by: .longest), repeatingEvery: $0) { Issue.record("fired") }
        }
        timers.forEach { $0.cancel() }
    }
}
