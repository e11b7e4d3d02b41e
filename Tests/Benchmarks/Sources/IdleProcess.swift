import Foundation
import NetworkIndicator

/// Counts the wake-ups of a process with an idle manager, beside those of a process without one.
enum IdleProcess: String {
    case withManager = "--idle-with-manager"
    case withoutManager = "--idle-without-manager"

    private static let duration: TimeInterval = 10

    static func wakeUpsOfManager() throws -> Double {
        let (with, without) = (try withManager.start(), try withoutManager.start())
        return with() - without()
    }

    /// Starts the process, and returns a closure that waits for its result, which isn't a number after a failure.
    private func start() throws -> () -> Double {
        let (process, output) = (Process(), Pipe())
        process.executableURL = Bundle.main.executableURL
        process.arguments = [rawValue]
        process.standardOutput = output
        try process.run()
        return {
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return Double(text) ?? .nan
        }
    }

    /// The work of the process.
    func run() {
        let manager = self == .withManager ? Self.managerAfterUse() : nil
        Thread.sleep(forTimeInterval: 1)
        let before = Self.wakeUps
        Thread.sleep(forTimeInterval: Self.duration)
        let after = Self.wakeUps
        withExtendedLifetime(manager) {}
        print(after - before, terminator: "")
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

    private static var wakeUps: Int {
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        #else
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #endif
        return usage.ru_nvcsw
    }
}
