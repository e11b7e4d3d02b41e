import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Waits for managers to be idle right after `.tracked().resume()`. The wait must not return before the completion
/// handlers, or long after them.
///
/// A run doesn't count if the machine delays the program between `tracked()` and `resume()`.
struct IdleWaits {
    func run(_ count: Int) async throws {
        let stage = try Stage()
        let delays = try await concurrently(count, atOnce: 20) { number -> (isHeldUp: Bool, delay: Duration?) in
            let manager = NetworkIndicatorManager()
            let ended = Moment()
            let task = stage.task("/\(number)", answeredAfter: .milliseconds(20), ended: ended)
            let start = SuspendingClock().now
            task.tracked(by: manager).resume()
            let isHeldUp = start.duration(to: SuspendingClock().now) > .milliseconds(50)
            try await manager.waitUntilIdle()
            let returned = SuspendingClock().now
            let end = ended.value
            try await ended.reached()
            return (isHeldUp, end.map { $0.duration(to: returned) })
        }
        let counted = delays.filter { !$0.isHeldUp }
        report("counted", counted.count)
        report("early", counted.count { $0.delay == nil })
        let late = counted.compactMap(\.delay).sorted()
        report("fastest", late.first?.milliseconds ?? -1)
        report("median", late.isEmpty ? -1 : late[late.count / 2].milliseconds)
    }
}

/// Single requests that take less than the show delay. Requests that the machine delays for longer don't count.
struct ShortRequests {
    func run(_ count: Int) async throws {
        for length in [75, 85] {
            let stage = try Stage()
            var (counted, shown, tries) = (0, 0, 0)
            let end = SuspendingClock().now.advanced(by: .seconds(40))
            while counted < count, SuspendingClock().now < end {
                let round = tries
                tries += 8
                // If the machine is so busy that none counts, the requests at least don't delay each other.
                let atOnce = counted == 0 && round > 0 ? 1 : 4
                let results = try await concurrently(8, atOnce: atOnce) { number -> (Bool, Duration) in
                    let manager = NetworkIndicatorManager()
                    let lamp = Lamp()
                    manager.attach(lamp)
                    let ended = Moment()
                    let path = "/\(round + number)"
                    let task = stage.task(path, answeredAfter: .milliseconds(length - 2), ended: ended)
                    let start = SuspendingClock().now
                    task.tracked(by: manager).resume()
                    try await ended.reached()
                    try await manager.waitUntilIdle()
                    return (lamp.shown.value != nil, start.duration(to: ended.value ?? .now))
                }
                let short = results.filter { $0.1 < .milliseconds(95) }
                counted += short.count
                shown += short.count(where: \.0)
            }
            report("counted \(length)", counted)
            report("shown \(length)", shown)
        }
    }
}

/// Tasks that are resumed some time after `tracked()`, and then run for 0.8 s.
struct LateResumes {
    static let pauses: [Double] = [0.02, 0.15, 1.3, 2.3, 3.3, 9.5]

    func run(_ rounds: Int) async throws {
        let stage = try Stage()
        let pauses = Self.pauses
        let delays = try await concurrently(rounds * pauses.count, atOnce: .max) { number -> (Double, Int?) in
            let pause = pauses[number % pauses.count]
            let manager = NetworkIndicatorManager()
            let lamp = Lamp()
            manager.attach(lamp)
            let ended = Moment()
            let task = stage.task("/\(number)", answeredAfter: .milliseconds(800), ended: ended)
            // The tasks begin at different times, because this measures the delay of a single task.
            try await Task.sleep(for: .milliseconds(37 * number))
            task.tracked(by: manager)
            try await Task.sleep(for: .seconds(pause))
            let start = SuspendingClock().now
            task.resume()
            try await ended.reached()
            try await manager.waitUntilIdle()
            return (pause, lamp.shown.value.map { start.duration(to: $0).milliseconds })
        }
        for pause in pauses {
            let values = delays.filter { $0.0 == pause }.map(\.1)
            report("never after \(pause)", values.count { $0 == nil })
            report("fastest after \(pause)", values.compactMap(\.self).min() ?? -1)
        }
    }
}

/// Measures how often tasks that are never resumed wake the process.
struct ParkedTasks {
    func run(_ count: Int) async throws {
        let stage = try Stage()
        let manager = NetworkIndicatorManager()
        let lamp = Lamp()
        manager.attach(lamp)
        let tasks = (0..<count).map { stage.session.dataTask(with: stage.server.url("/\($0)")) }
        report("idle", try await wakeups())
        let start = SuspendingClock().now
        for task in tasks { task.tracked(by: manager) }
        // If tracking the tasks takes longer, the last ones still count when the first ones are due to be shown.
        report("held up", start.duration(to: SuspendingClock().now) > .milliseconds(50))
        try await Task.sleep(for: .seconds(1))
        report("parked", try await wakeups())
        report("tasks", manager.activeTaskCount)
        for task in tasks { task.cancel() }
        try await Task.sleep(for: .seconds(3))
        report("cancelled", try await wakeups())
        report("shown", lamp.shown.value != nil)
    }

    #if canImport(Glibc)
    private static let thisProcess = RUSAGE_SELF.rawValue
    #else
    private static let thisProcess = RUSAGE_SELF
    #endif

    /// Returns how often the threads of this process begin to wait in five seconds.
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

/// Runs tasks while every thread of the cooperative pool is blocked. This code isn't asynchronous.
struct BlockedPool {
    func run() throws {
        for priority in [TaskPriority.high, .medium, .low, .background] {
            for _ in 0..<32 { Task.detached(priority: priority) { blockForever() } }
        }
        Thread.sleep(forTimeInterval: 0.5)
        let stage = try Stage()
        let manager = NetworkIndicatorManager()
        let lamps = [Lamp(), Lamp()]
        let (first, second) = (Moment(), Moment())
        manager.attach(lamps[0])
        stage.task("/1", answeredAfter: .seconds(2), ended: first).tracked(by: manager).resume()
        wait { first.value != nil }
        report("shown at once", lamps[0].shown.value != nil)
        wait { !manager.isIndicatorVisible }
        report("off", !manager.isIndicatorVisible)

        manager.attach(lamps[1])
        let task = stage.task("/2", answeredAfter: .seconds(2), ended: second).tracked(by: manager)
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 1))
        report("shown before its resume", lamps[1].shown.value != nil)
        task.resume()
        wait { second.value != nil }
        report("shown later", lamps[1].shown.value != nil)
        exit(0)
    }

    private func wait(until condition: () -> Bool) {
        let limit = Date(timeIntervalSinceNow: 30)
        while !condition(), limit.timeIntervalSinceNow > 0 {
            RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02))
        }
    }
}

private func blockForever() {
    Thread.sleep(forTimeInterval: 10_000)
}
