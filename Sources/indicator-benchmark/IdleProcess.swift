import Foundation
import NetworkIndicator

/// How often a process wakes up while a manager is idle in it: measured in processes of its own, one with a manager that
/// has been busy, one without.
enum IdleProcess {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The hidden first argument that makes this program such a process.
    static let argument = "--idle-process"

    private static let duration: TimeInterval = 10

    /// Wake-ups in ten seconds of the process with the manager beyond those of the one without.
    static func wakeUpsOfManager() throws -> Double {
        let (with, without) = (try start(hasManager: true), try start(hasManager: false))
        return try with() - without()
    }

    /// Runs this program as such a process.
    /// - Returns: What waits for its end and reads its result.
    private static func start(hasManager: Bool) throws -> () throws -> Double {
        guard let program = Bundle.main.executableURL else {
            throw Failure(description: "found no path of this program")
        }
        let process = Process()
        process.executableURL = program
        process.arguments = [argument, hasManager ? "manager" : "nothing"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return {
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            guard process.terminationStatus == 0, let count = Double(text) else {
                throw Failure(description: "\(program.path) exited \(process.terminationStatus) and printed “\(text)”")
            }
            return count
        }
    }

    /// Such a process: prints how often it woke up, and exits. The main run loop has to be run after this.
    static func begin(hasManager: Bool) {
        Thread.detachNewThread {
            let manager = hasManager ? busyOnce() : nil
            Thread.sleep(forTimeInterval: 1)  // for threads that were of use at first to go
            let before = voluntaryContextSwitches
            Thread.sleep(forTimeInterval: duration)
            let after = voluntaryContextSwitches
            withExtendedLifetime(manager) {}
            print(after - before, terminator: "")
            exit(0)
        }
    }

    /// A manager that has had tasks of every kind, has shown its indicator and has polled.
    private static func busyOnce() -> NetworkIndicatorManager {
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
        // Not by `waitUntilIdle`: the first asynchronous task of a process sets off a timer of the Linux Dispatch that
        // watches over its threads every second, manager or no.
        while manager.hasActiveTasks || manager.isIndicatorVisible { Thread.sleep(forTimeInterval: 0.01) }
        return manager
    }

    /// How often threads of this process have gone to wait for something, and so were to wake up.
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
