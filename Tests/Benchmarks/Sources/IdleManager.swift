import Foundation
import NetworkIndicator

/// Returns how much more often the process wakes up with an idle manager than it did without one.
func wakeUpsOfAnIdleManager() -> Double {
    let before = wakeUps()
    let manager = usedManager()
    let after = wakeUps()
    withExtendedLifetime(manager) {}
    return Double(after - before)
}

private func usedManager() -> NetworkIndicatorManager {
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
    // On Linux, the first Swift task starts a timer that wakes the process every second, so this function doesn't await
    // `waitUntilIdle`.
    while manager.isIndicatorVisible { Thread.sleep(forTimeInterval: 0.01) }
    return manager
}

private func wakeUps() -> Int {
    func count() -> Int {
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        #else
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #endif
        return usage.ru_nvcsw
    }
    Thread.sleep(forTimeInterval: 1)
    let before = count()
    Thread.sleep(forTimeInterval: Benchmark.isQuick ? 1 : 10)
    return count() - before
}
