import Foundation
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

@MainActor
@Suite(.timeLimit(.minutes(10)))
final class TrackingTests: ManagerSuite {
    let monitor = RecordingMonitor()
    let center = NotificationCenter()

    init() {
        super.init()
        manager.attach(monitor: monitor)
    }

    @Test func aTokenOfTwoManagersEndsInEach() {
        let (other, token) = (NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler), Token())
        for each in [manager, other] { each.beganNetworkTask(withToken: token) }
        manager.finishedNetworkTask(forToken: token)
        #expect(manager.activeTaskCount == 0 && other.activeTaskCount == 1)
        withExtendedLifetime(token) {}
    }

    @Test func aTaskTakesFewBytes() {
        #expect(MemoryLayout<WeakTask>.stride + MemoryLayout<WeakWrapper>.stride <= 128)
        #expect(MemoryLayout<TaskRecord>.stride <= 72)
    }

    // MARK: Opaque tokens, scopes and the count

    @Test func foreignOpaqueTokenIsMisuse() {
        let other = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        let token = other.beganNetworkTask()
        manager.finishedNetworkTask(forToken: token)
        manager.beganNetworkTask(withToken: token)
        #expect(monitor.misuses.map(\.kind) == [.foreignToken, .foreignToken])
        #expect(other.activeTaskCount == 1)
        #expect(manager.activeTaskCount == 0)
    }

    @Test func monitorsReadThatATokenIsReleasedAtOnce() {
        _ = manager.beganNetworkTask(label: "opaque")
        manager.beganNetworkTask(withToken: Token(), label: "object")
        manager.beganNetworkTask(label: "finished").finish()
        settle()
        do {
            let (token, object) = (manager.beganNetworkTask(label: "seen"), Token())
            manager.beganNetworkTask(withToken: object, label: "seen")
            settle()
            withExtendedLifetime((token, object)) {}
        }
        scheduler.advance(by: .seconds(1))
        let ends = monitor.events.filter { if case .ended = $0 { true } else { false } }
        #expect(
            ends.map { $0.description.prefix { $0 != "," } } == [
                "released unseen: opaque", "finished finished", "released unseen: object", "finished seen",
                "deallocated seen",
            ])
        #expect(monitor.misuses.isEmpty)
    }

    @Test func scopeEndsWhenItsBodyReturnsOrThrows() async {
        struct Failure: Error {}
        let result = await manager.withNetworkTask { () async -> Int in manager.activeTaskCount }
        #expect(result == 1)
        await #expect(throws: Failure.self) {
            try await manager.withNetworkTask { () async throws(Failure) in throw Failure() }
        }
        #expect(manager.withNetworkTask { manager.activeTaskCount } == 1)
        #expect(throws: Failure.self) { try manager.withNetworkTask { () throws(Failure) in throw Failure() } }
        #expect(manager.activeTaskCount == 0)
    }

    @Test func countStaysAtZero() {
        manager.decrementActivityCount(line: 7)
        #expect(manager.activeTaskCount == 0)
        #expect(monitor.misuses.map { "\($0.kind) \($0.line)" } == ["countBelowZero 7"])
        manager.incrementActivityCount()
        #expect(manager.activeTaskCount == 1)
    }

    // MARK: Notifications

    private final class Request: Sendable {
        let isRunning = Lock(true)
    }

    private nonisolated static let begin = Notification.Name("begin")
    private nonisolated static let end = Notification.Name("end")
    private nonisolated static let suspend = Notification.Name("suspend")

    @discardableResult
    private func track(
        _ manager: NetworkIndicatorManager, end: [Notification.Name] = [TrackingTests.end, TrackingTests.suspend],
        while isUnderWay: (@MainActor @Sendable (AnyObject) -> Bool)? = nil
    ) -> NetworkIndicatorManager.Attachment {
        manager.trackTasks(
            begin: Self.begin, end: end, center: center, label: { $0.object.map { "\(type(of: $0))" } }, line: 7,
            while: isUnderWay)
    }

    private func post(_ name: Notification.Name, _ request: Request?) { center.post(name: name, object: request) }

    @Test func notificationsBeginAndEndTasks() {
        track(manager)
        do {
            let (first, second, dropped) = (Request(), Request(), Request())
            for request in [first, second, dropped] { post(Self.begin, request) }
            #expect(manager.activeTasks.map(\.line) == [7, 7, 7])
            post(Self.end, first)
            post(Self.suspend, second)
            #expect(manager.activeTaskCount == 1)
        }
        #expect(manager.activeTaskCount == 0)
        #expect(monitor.misuses.isEmpty)
    }

    @Test func repeatedAndUnexpectedNotificationsAreNoMisuse() {
        let (tracking, request) = (track(manager), Request())
        for name in [Self.end, Self.begin, Self.begin] { post(name, request) }
        #expect(manager.activeTaskCount == 1)
        for name in [Self.end, Self.end] { post(name, request) }
        center.post(name: Self.end, object: NetworkIndicatorManager().beganNetworkTask())
        post(Self.begin, nil)
        #expect(manager.activeTaskCount == 0)
        #expect(monitor.misuses.isEmpty)
        tracking.detach()
        tracking.detach()
        post(Self.begin, request)
        #expect(manager.activeTaskCount == 0)
    }

    @Test func trackingEndsWithTheManager() {
        let calls = Lock(0)
        var manager: NetworkIndicatorManager? = .init(configuration: .immediate, scheduler: scheduler)
        let isReleased = { [weak manager] in manager == nil }
        let token: @Sendable (Notification) -> AnyObject? = { _ in
            calls.withLock { $0 += 1 }
            return nil
        }
        manager?.trackTasks(begin: Self.begin, end: [], center: center, token: token)
        post(Self.begin, Request())
        manager = nil
        #expect(isReleased())
        post(Self.begin, Request())
        #expect(calls.withLock { $0 } == 1)
    }

    @Test func requestsWhileTrackingStartsAreNotStuck() {
        let names = (0..<200).map { Notification.Name("end \($0)") } + [Self.end]
        for _ in 0..<3 {
            let (center, requests, isTracking) = (center, Lock<[Request]>([]), Lock(false))
            let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            // The Thread Sanitizer doesn't see the lock of a notification center, so the manager is created before the
            // thread.
            let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
            Thread.detachNewThread {
                started.signal()
                while !isTracking.withLock({ $0 }) {
                    let request = Request()
                    center.post(name: Self.begin, object: request)
                    center.post(name: Self.end, object: request)
                    requests.withLock { $0.append(request) }
                }
                ended.signal()
            }
            started.wait()
            track(manager, end: names)
            isTracking.withLock { $0 = true }
            ended.wait()
            #expect(manager.activeTaskCount == 0)
            withExtendedLifetime(requests) {}
        }
    }

    @Test func aConditionEndsWhatNotificationsDoNot() {
        track(manager, while: { ($0 as? Request)?.isRunning.withLock { $0 } ?? true })
        let (reversed, endless) = (Request(), Request())
        reversed.isRunning.withLock { $0 = false }
        for name in [Self.end, Self.begin] { post(name, reversed) }
        #expect(manager.activeTaskCount == 0)
        post(Self.begin, endless)
        #expect(manager.activeTasks.map(\.label) == ["Request"])
        endless.isRunning.withLock { $0 = false }
        #expect(manager.activeTaskCount == 0)
    }
}
