import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct IdleWaits {
    func run(_ count: Int) async throws {
        let stage = try Stage()
        let waits = try await concurrently(count, atOnce: 20) { number -> Bool in
            let manager = NetworkIndicatorManager()
            let ended = Moment()
            let response = Response.text("Hello").delayed(by: .milliseconds(20))
            stage.task("/\(number)", response, ended: ended).tracked(by: manager).resume()
            try await manager.waitUntilIdle()
            let isEarly = !ended.hasPassed
            try await ended.reached()
            return isEarly
        }
        report("early", waits.count(where: \.self))
    }
}

struct LateResumes {
    func run() async throws {
        let stage = try Stage()
        let pauses: [Double] = [0.02, 0.15, 1.3, 2.3, 3.3, 9.5]
        let shown = try await concurrently(pauses.count, atOnce: .max) { number -> Bool in
            let manager = NetworkIndicatorManager()
            let lamp = Lamp()
            manager.attach(lamp)
            let task = stage.task("/\(number)", .silence)
            task.tracked(by: manager)
            try await Task.sleep(for: .seconds(pauses[number]))
            task.resume()
            try await lamp.shown.reached()
            task.cancel()
            try await manager.waitUntilIdle()
            return lamp.shown.hasPassed
        }
        report("shown", shown.count(where: \.self))
    }
}

struct ParkedTasks {
    /// `@unchecked Sendable`: the class adds only `offMain`, which is `Sendable`.
    private final class SuspendedTask: URLSessionDataTask, @unchecked Sendable {
        let offMain = Moment()

        /// Apple's SDKs deprecate the initializer of `URLSessionTask`.
        static func make() -> SuspendedTask {
            #if canImport(ObjectiveC)
            unsafeDowncast((self as NSObject.Type).init(), to: self)
            #else
            SuspendedTask()
            #endif
        }

        override var state: URLSessionTask.State {
            if !Thread.isMainThread { offMain.set() }
            return .suspended
        }

        // On Apple's systems, a task without a session doesn't implement these.
        override var countOfBytesReceived: Int64 { 0 }
        override var countOfBytesSent: Int64 { 0 }
        override var response: URLResponse? { nil }
        override var originalRequest: URLRequest? { nil }
    }

    func run(_ count: Int) async throws {
        let stage = try Stage()
        let manager = NetworkIndicatorManager()
        let lamp = Lamp()
        manager.attach(lamp)
        let tasks = (0..<count).map { stage.session.dataTask(with: stage.server.url("/\($0)")) }
        report("idle", try await wakeups())
        let start = SuspendingClock().now
        for task in tasks { task.tracked(by: manager) }
        // If the loop takes longer than 50 ms, the indicator may turn on, because each task counts as active for 50 ms.
        report("held up", start.duration(to: SuspendingClock().now) > .milliseconds(50))
        try await Task.sleep(for: .seconds(1))
        do {
            let suspended = SuspendedTask.make()
            await MainActor.run { _ = suspended.tracked(by: manager) }
            report("parked", try await wakeups())
            report("loaded off the main thread", suspended.offMain.hasPassed)
        }
        report("tasks", await MainActor.run { manager.activeTaskCount })
        for task in tasks { task.cancel() }
        try await Task.sleep(for: .seconds(3))
        report("cancelled", try await wakeups())
        report("shown", lamp.shown.hasPassed)
    }

    #if canImport(Glibc)
    private static let thisProcess = RUSAGE_SELF.rawValue
    #else
    private static let thisProcess = RUSAGE_SELF
    #endif

    private func wakeups() async throws -> Int {
        func count() -> Int {
            var usage = rusage()
            getrusage(Self.thisProcess, &usage)
            return usage.ru_nvcsw
        }
        let before = count()
        try await Task.sleep(for: .seconds(5))
        return count() - before
    }
}

/// This code is synchronous, because every thread of the cooperative pool is blocked.
struct BlockedPool {
    func run() throws {
        for priority in [TaskPriority.high, .medium, .low, .background] {
            for _ in 0..<32 { Task.detached(priority: priority) { blockForever() } }
        }
        Thread.sleep(forTimeInterval: 0.5)
        let isFree = Lock(false)
        Task.detached { isFree.withLock { $0 = true } }
        Thread.sleep(forTimeInterval: 0.1)
        report("blocked", !isFree.withLock { $0 })
        let stage = try Stage()
        let manager = NetworkIndicatorManager()
        let lamps = [Lamp(), Lamp()]
        manager.attach(lamps[0])
        let first = stage.task("/1", .silence).tracked(by: manager)
        first.resume()
        wait { lamps[0].shown.hasPassed }
        report("shown at once", lamps[0].shown.hasPassed)
        first.cancel()
        wait { !manager.isIndicatorVisible }
        report("off", !manager.isIndicatorVisible)

        manager.attach(lamps[1])
        let second = stage.task("/2", .silence).tracked(by: manager)
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 1))
        second.resume()
        wait { lamps[1].shown.hasPassed }
        report("shown later", lamps[1].shown.hasPassed)
        exit(0)
    }

    private func wait(until condition: () -> Bool) {
        let limit = Date(timeIntervalSinceNow: 60)
        while !condition(), limit.timeIntervalSinceNow > 0 {
            RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02))
        }
    }
}

private func blockForever() {
    Thread.sleep(forTimeInterval: 10_000)
}
