#if canImport(Glibc)
import Foundation
import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorTestKit

/// The program in the terminal. It owns an indicator and performs the test's commands, one for each line.
@MainActor
final class Job {
    static let shared = Job()

    private let test = LineSocket(descriptor: 4)
    private let label = Lock("Fetching")
    private lazy var indicator = TerminalIndicator(
        label: { [label] in label.withLock { $0 } }, animation: animation,
        plainLines: Self.variable("HOST_PLAIN") != nil)
    private lazy var reporter = ShowReporter(test)
    private var token: NetworkTaskToken?
    private var end: CheckedContinuation<Void, any Error>?

    private var animation: TerminalIndicator.Mode {
        Self.variable("HOST_ANIMATION") == "always" ? .always : .auto
    }

    private static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    private struct Failure: Error {}

    /// Performs the test's commands.
    ///
    /// - Throws: An error for the command `throwAtTheTopLevel`.
    func run() async throws {
        _ = fcntl(4, F_SETFD, FD_CLOEXEC)
        alarm(300)  // ends the job after five minutes, in case the test's watchdog has ended
        var none = rlimit()
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        let test = test
        test.send("ready")
        Thread.detachNewThread {
            test.forEachLine { line in
                let (command, rest) = Self.split(line)
                // Waits for six frames, on a background thread.
                if command == "settle" { usleep(600_000) }
                if command == "exitBesideTheMainThread" { exit(Int32(rest) ?? 0) }
                let result = DispatchQueue.main.sync { MainActor.assumeIsolated { Job.shared.perform(command, rest) } }
                test.send("\(command) \(result)")
            }
            exit(0)
        }
        try await withCheckedThrowingContinuation { end = $0 }
    }

    private nonisolated static func split(_ line: String) -> (command: String, rest: String) {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }

    private func perform(_ command: String, _ rest: String) -> String {
        switch command {
        case "settle", "ping": return "done"
        case "label": label.withLock { $0 = rest }
        case "show": indicator.setVisible(true)
        case "hide": indicator.setVisible(false)
        case "print": indicator.print(rest)
        case "printBeside": Thread.detachNewThread { [indicator] in indicator.print(rest) }
        case "printOnDispatch": DispatchQueue.global().async { [indicator] in indicator.print(rest) }
        case "suspend":
            indicator.suspend {
                print(rest)
                fflush(nil)
            }
        case "suspendOnDispatch":
            DispatchQueue.global().async { [indicator] in
                indicator.suspend {
                    print(rest)
                    fflush(nil)
                }
            }
        case "attach":
            NetworkIndicatorManager.shared.attach(indicator)
            NetworkIndicatorManager.shared.attach(reporter)
        case "begin":
            reporter.restart()
            token = NetworkIndicatorManager.shared.beganNetworkTask()
        case "end": token = nil
        case "quick":
            token = NetworkIndicatorManager.shared.beganNetworkTask()
            usleep(20_000)
            token = nil
        case "actions": return SignalActions.description
        case "redirect": redirect(to: rest)
        case "redirectAndPrint":
            redirect(to: rest)
            indicator.print("a line")
        case "ignore": signal(Int32(rest) ?? 0, SIG_IGN)
        case "nonblocking": _ = fcntl(STDERR_FILENO, F_SETFL, O_NONBLOCK)
        case "manyLines": printManyLines()
        case "threads": printFromThreads(while: indicator, lines: 40)
        case "flood": floodFromThreads()
        case "ghostty": twentySeconds()
        case "endSlowly": atexit { usleep(400_000) }
        case "exit": exit(Int32(rest) ?? 0)
        case "abort": abort()
        case "fatalError": fatalError("a fatal error")
        case "throwAtTheTopLevel": end?.resume(throwing: Failure())
        case "eraseAndRaise":
            indicator.erase()
            raise(SIGTERM)
        default: return "unknown"
        }
        return "done"
    }

    private func printManyLines() {
        indicator.print((1...20_000).map { "line \($0)" }.joined(separator: "\n"))
    }

    private func redirect(to path: String) {
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        dup2(file, STDERR_FILENO)
        close(file)
    }

    /// Runs an indicator for twenty seconds of a manual clock.
    private func twentySeconds() {
        let scheduler = ManualScheduler()
        let indicator = TerminalIndicator(
            label: { "Fetching" }, interval: .seconds(1),
            environment: TerminalEnvironment(ProcessInfo.processInfo.environment), screen: .standardError,
            scheduler: scheduler)
        indicator.setVisible(true)
        scheduler.advance(by: .seconds(20))
        indicator.setVisible(false)
    }

    private nonisolated static func thread(_ number: Int, prints count: Int, by indicator: TerminalIndicator) {
        for line in 0..<count { indicator.print("thread \(number) line \(line)") }
    }

    private func printFromThreads(while indicator: TerminalIndicator, lines: Int) {
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            Self.thread(number, prints: lines, by: indicator)
        }
    }

    /// Starts eight threads that print until the process ends.
    private func floodFromThreads() {
        for number in 0..<8 {
            Thread.detachNewThread { [indicator] in Self.thread(number, prints: .max, by: indicator) }
        }
    }
}

/// Reports to the test when it goes on and off, in milliseconds after the latest command `begin`.
private final class ShowReporter: ActivityIndicator {
    private let test: LineSocket
    private var start = SuspendingClock().now

    init(_ test: LineSocket) { self.test = test }

    func restart() { start = SuspendingClock().now }

    func setVisible(_ isVisible: Bool) {
        test.send("\(isVisible ? "on" : "off") \(Int(start.duration(to: SuspendingClock().now).timeInterval * 1000))")
    }
}
#endif
