import Foundation
import NetworkIndicator

/// The wake-ups of a process with an idle manager, compared with a process without one.
enum IdleProcess {
    private static let duration: TimeInterval = 10

    /// The wake-ups in ten seconds that the manager causes.
    static func wakeUpsOfManager() throws -> Double {
        let (with, without) = (try Subprocess(.idleWithManager), try Subprocess(.idleWithoutManager))
        return try with.number() - without.number()
    }

    /// The wake-ups of this process in ten seconds.
    static func wakeUps(hasManager: Bool) -> Double {
        let manager = hasManager ? managerAfterUse() : nil
        Thread.sleep(forTimeInterval: 1)  // Threads that the start of the process needed have ended by then.
        let before = voluntaryContextSwitches
        Thread.sleep(forTimeInterval: duration)
        let after = voluntaryContextSwitches
        withExtendedLifetime(manager) {}
        return Double(after - before)
    }

    /// A manager that had tasks of every kind, showed its indicator, and polled.
    private static func managerAfterUse() -> NetworkIndicatorManager {
        var configuration = NetworkIndicatorManager.Configuration.standard
        configuration.completionCheckInterval = .milliseconds(50)
        let manager = NetworkIndicatorManager(configuration: configuration)
        var tokens: [AnyObject] = (0..<10).map { _ in Token() }
        for token in tokens { manager.beganNetworkTask(withToken: token) }
        tokens.append(manager.beganNetworkTask())
        manager.incrementActivityCount()
        while !manager.isIndicatorVisible { Thread.sleep(forTimeInterval: 0.01) }
        Thread.sleep(forTimeInterval: 0.2)
        manager.decrementActivityCount()
        tokens = []
        // This doesn't use `waitUntilIdle`. On Linux, the first asynchronous task of a process starts a timer of
        // Dispatch, which wakes the process every second.
        while manager.isIndicatorVisible { Thread.sleep(forTimeInterval: 0.01) }
        return manager
    }

    /// How many times the threads of this process began to wait.
    private static var voluntaryContextSwitches: Int {
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        #else
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #endif
        return usage.ru_nvcsw
    }
}
