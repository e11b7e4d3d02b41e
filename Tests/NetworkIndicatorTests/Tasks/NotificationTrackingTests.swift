import Foundation
import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

/// Tasks of clients that post notifications.
@MainActor
@Suite struct NotificationTrackingTests {
    final class Request: Sendable {}

    private nonisolated static let begin = Notification.Name("begin")
    private nonisolated static let end = Notification.Name("end")
    private static let suspend = Notification.Name("suspend")

    let center = NotificationCenter()
    let monitor = RecordingMonitor()
    let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: ManualScheduler())
    let tracking: NetworkIndicatorManager.Attachment

    init() {
        tracking = manager.trackTasks(begin: Self.begin, end: [Self.end, Self.suspend], center: center, line: 7) {
            $0.userInfo?["request"] as AnyObject?
        }
        manager.attach(monitor)
    }

    private func post(_ name: Notification.Name, _ request: Request?) {
        center.post(name: name, object: nil, userInfo: request.map { ["request": $0] })
    }

    @Test func beginsAndEndsAreCounted() {
        let (first, second) = (Request(), Request())
        post(Self.begin, first)
        post(Self.begin, second)
        #expect(manager.activeTaskCount == 2)
        #expect(manager.activeTasks.map(\.line) == [7, 7])
        post(Self.end, first)
        post(Self.suspend, second)
        #expect(manager.activeTaskCount == 0)
    }

    @Test func repeatedAndUnexpectedNotificationsAreNoMisuse() {
        let request = Request()
        post(Self.end, request)
        post(Self.begin, request)
        post(Self.begin, request)
        #expect(manager.activeTaskCount == 1)
        post(Self.end, request)
        post(Self.end, request)
        post(Self.begin, nil)
        #expect(manager.activeTaskCount == 0)
        #expect(monitor.misuses.isEmpty)
    }

    @Test func objectsAreHeldWeakly() {
        do {
            let request = Request()
            post(Self.begin, request)
            #expect(manager.activeTaskCount == 1)
        }
        #expect(manager.activeTaskCount == 0)
        #expect(monitor.misuses.isEmpty)
    }

    @Test func stoppedTrackingIgnoresNotifications() {
        let request = Request()
        tracking.detach()
        tracking.detach()
        post(Self.begin, request)
        #expect(manager.activeTaskCount == 0)
    }

    @Test func trackingDoesNotKeepTheManager() {
        var manager: NetworkIndicatorManager? = .init(configuration: .immediate, scheduler: ManualScheduler())
        let isReleased = { [weak manager] in manager == nil }
        let tracking = manager?.trackTasks(begin: Self.begin, end: [], center: center) { _ in nil }
        manager = nil
        #expect(isReleased())
        post(Self.begin, Request())
        tracking?.detach()
    }

    @Test func trackingEndsWithTheManager() {
        let calls = Lock(0)
        var manager: NetworkIndicatorManager? = .init(configuration: .immediate, scheduler: ManualScheduler())
        manager?.trackTasks(begin: Self.begin, end: [], center: center) { _ in
            calls.withLock { $0 += 1 }
            return nil
        }
        post(Self.begin, Request())
        manager = nil
        post(Self.begin, Request())
        #expect(calls.withLock { $0 } == 1)
    }

    /// Many names make the time long in which only some of the notifications are observed.
    @Test func requestsWhileTrackingStartsAreNotStuck() {
        let names = (0..<200).map { Notification.Name("end \($0)") } + [Self.end]
        for _ in 0..<3 {
            let (center, requests, isTracking) = (NotificationCenter(), Lock<[Request]>([]), Lock(false))
            let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            // The Thread Sanitizer doesn't see the lock of a notification center, so the manager exists before the thread.
            let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: ManualScheduler())
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
            manager.trackTasks(begin: Self.begin, end: names, center: center) { $0.object as AnyObject? }
            isTracking.withLock { $0 = true }
            ended.wait()
            #expect(manager.activeTaskCount == 0)
            withExtendedLifetime(requests) {}
        }
    }

    /// If a request fails at once, a client can post its end before its begin, or post no end.
    @Test func aConditionEndsWhatNotificationsDoNot() {
        final class Client: Sendable {
            let isRunning = Lock(true)
        }
        let manager = manager
        let tracking = manager.trackTasks(
            begin: Self.begin, end: [Self.end], center: center, label: "client",
            while: { ($0 as? Client)?.isRunning.withLock { $0 } ?? true }
        ) { $0.object as AnyObject? }
        defer { tracking.detach() }
        var stuck = 0
        for round in 0..<200 {
            let client = Client()
            if round.isMultiple(of: 2) {
                // Reversed: the end comes first, and the condition is already false.
                client.isRunning.withLock { $0 = false }
                center.post(name: Self.end, object: client)
                center.post(name: Self.begin, object: client)
                if manager.hasActiveTasks { stuck += 1 }
            } else {
                // The end is missing.
                center.post(name: Self.begin, object: client)
                #expect(manager.activeTasks.map(\.label) == ["client"])
                client.isRunning.withLock { $0 = false }
                if manager.hasActiveTasks { stuck += 1 }
            }
            withExtendedLifetime(client) {}
        }
        #expect(stuck == 0)
    }
}
