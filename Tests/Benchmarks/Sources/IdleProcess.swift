import Foundation
import NetworkIndicator

enum IdleProcess {
    private static let duration: TimeInterval = 10

    static func wakeUpsOfManager() throws -> Double {
        let (with, without) = (try Subprocess(.idleWithManager), try Subprocess(.idleWithoutManager))
        return try with.number() - without.number()
    }

    static func wakeUps(hasManager: Bool) -> Double {
        let manager = hasManager ? managerAfterUse() : nil
        Thread.sleep(forTimeInterval: 1)
        let before = rusage.current.ru_nvcsw
        Thread.sleep(forTimeInterval: duration)
        let after = rusage.current.ru_nvcsw
        withExtendedLifetime(manager) {}
        return Double(after - before)
    }

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
        // On Linux, the first Swift task starts a timer that wakes the process every second, so this function doesn't
        // await `waitUntilIdle`.
        while manager.isIndicatorVisible { Thread.sleep(forTimeInterval: 0.01) }
        return manager
    }
}

extension rusage {
    static var current: rusage {
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        #else
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #endif
        return usage
    }
}
