#if canImport(Glibc)
import Foundation
import NetworkIndicatorTerminal

@MainActor
final class Job {
    static let shared = Job()

    private let test = LineSocket(descriptor: 4)
    private let indicator: TerminalIndicator = {
        let environment = ProcessInfo.processInfo.environment
        let rows = (1...20).map { TerminalIndicator.Row("file \($0)", fraction: 0.5, time: "9 s left") }
        return TerminalIndicator(style: .init(writesPlainLines: environment["CI"] != nil)) {
            "Fetching"
        } rows: {
            environment["TABLE"] == nil ? [] : rows
        }
    }()

    /// This continuation is never resumed, because the program ends with `exit` or a signal.
    private var end: CheckedContinuation<Void, Never>?

    func run() async {
        _ = fcntl(4, F_SETFD, FD_CLOEXEC)
        alarm(300)  // watchdog
        var none = rlimit()
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        let test = test
        test.send("ready")
        Thread.detachNewThread {
            test.forEachLine { line in
                let command = String(line.prefix { $0 != " " })
                let rest = String(line.dropFirst(command.count + 1))
                if command == "settle" { usleep(600_000) }
                if command == "exitBesideTheMainThread" { exit(Int32(rest) ?? 0) }
                let result = DispatchQueue.main.sync { MainActor.assumeIsolated { Job.shared.perform(command, rest) } }
                test.send("\(command) \(result)")
            }
            exit(0)
        }
        await withCheckedContinuation { end = $0 }
    }

    private func perform(_ command: String, _ rest: String) -> String {
        switch command {
        case "settle", "ping": return "done"
        case "show": indicator.setVisible(true)
        case "redraw": for _ in 0..<40 { indicator.redraw() }
        case "hide": indicator.setVisible(false)
        case "print": indicator.print(rest)
        case "printBeside": Thread.detachNewThread { [indicator] in indicator.print(rest) }
        case "printOnDispatch": DispatchQueue.global().async { [indicator] in indicator.print(rest) }
        case "suspend": Self.suspend(indicator, rest)
        case "suspendOnDispatch": DispatchQueue.global().async { [indicator] in Self.suspend(indicator, rest) }
        case "redirect": redirect(to: rest)
        case "ignore": signal(Int32(rest) ?? 0, SIG_IGN)
        case "handle": signal(Int32(rest) ?? 0) { _ in _exit(7) }
        case "eraseOnInterruption": indicator.eraseOnInterruption()
        case "block": sleep(UInt32(rest) ?? 0)
        case "child": return Self.endOfChild()
        case "fork": return Self.endOfFork()
        case "threads": printFromThreads()
        case "endSlowly": atexit { usleep(400_000) }
        case "exit": exit(Int32(rest) ?? 0)
        default: return "unknown"
        }
        return "done"
    }

    private nonisolated static func suspend(_ indicator: TerminalIndicator, _ text: String) {
        indicator.suspend {
            print(text)
            fflush(nil)
        }
    }

    private static func endOfChild() -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "kill -INT $$"]
        try? process.run()
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal ? "killed \(process.terminationStatus)" : "survived"
    }

    private static func endOfFork() -> String {
        // Swift doesn't import `fork`.
        typealias Fork = @convention(c) () -> pid_t
        let fork = unsafeBitCast(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"), to: Fork.self)
        let pid = fork()
        if pid == 0 {
            raise(SIGTERM)
            _exit(0)
        }
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        return status == SIGTERM ? "killed \(status)" : "survived"
    }

    private func redirect(to path: String) {
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        dup2(file, STDERR_FILENO)
        close(file)
    }

    private func printFromThreads() {
        DispatchQueue.concurrentPerform(iterations: 8) { [indicator] number in
            for line in 0..<40 { indicator.print("thread \(number) line \(line)") }
        }
    }
}
#endif
