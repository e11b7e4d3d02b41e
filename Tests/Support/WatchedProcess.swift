package import Foundation

/// A program of this package, run as a subprocess of a test under a watchdog.
package struct WatchedProcess: Sendable {
    package enum End: Sendable, Hashable {
        case exited(Int32)
        case killed(signal: Int32)
        /// The watchdog had to end it.
        case hung
    }

    package let end: End
    package let output: String
    package let errors: String

    /// Runs a program that this package builds, and returns when it has ended.
    ///
    /// - Parameters:
    ///   - product: The name of the executable, which stands beside the test's own, or an absolute path.
    ///   - arguments: Its arguments.
    ///   - environment: Variables to set beside those of the test.
    ///   - directory: Where it runs.
    ///   - limit: After how long the watchdog kills it.
    ///   - meanwhile: What to do while it runs, given its process identifier. It is cancelled when the program has ended.
    package static func run(
        _ product: String, _ arguments: [String] = [], environment: [String: String] = [:], in directory: URL? = nil,
        limit: Duration = .seconds(240), meanwhile: @escaping @Sendable (Int32) async -> Void = { _ in }
    ) async throws -> WatchedProcess {
        let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        // Files, because a full pipe would stop the program until somebody reads.
        let (output, errors) = (scratch.appending(path: "output"), scratch.appending(path: "errors"))
        for file in [output, errors] { try Data().write(to: file) }

        let process = Process()
        let program = product.hasPrefix("/") ? URL(filePath: product) : self.url(of: product)
        #if os(Linux)
        // Programs inherit what is ignored. libcurl ignores SIGPIPE for moments, in the whole process, and then puts back
        // what it found: on two threads at once, that may be what the other one has set.
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["--default-signal=PIPE", program.path] + arguments
        #else
        process.executableURL = program
        process.arguments = arguments
        #endif
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = directory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        let isHung = try await ended(process, limit: limit, meanwhile: meanwhile)

        let end: End =
            if isHung {
                .hung
            } else if process.terminationReason == .uncaughtSignal {
                .killed(signal: process.terminationStatus)
            } else {
                .exited(process.terminationStatus)
            }
        return WatchedProcess(
            end: end, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }

    /// Looks, in `meanwhile`, until something holds that the program brings about, or until it has ended.
    ///
    /// Nobody tells when a file appears, so it looks every few milliseconds, on the thread that `meanwhile` has for itself:
    /// a task that sleeps is woken by one of the few threads that other tests may keep busy for seconds.
    ///
    /// - Returns: Whether the program still ran: otherwise its number may be another's by now.
    package static func wait(until condition: () -> Bool) -> Bool {
        while !condition() {
            guard !Task.isCancelled else { return false }
            usleep(5_000)
        }
        return !Task.isCancelled
    }

    /// Where the build has put a product: beside the test program.
    package static func url(of product: String) -> URL {
        let arguments = CommandLine.arguments.map { URL(filePath: $0) }
        let test = arguments.first { $0.pathComponents.contains { $0.hasSuffix(".xctest") } } ?? arguments[0]
        var directory = test.deletingLastPathComponent()
        while directory.pathComponents.contains(where: { $0.hasSuffix(".xctest") }) {
            directory.deleteLastPathComponent()
        }
        return directory.appending(path: product)
    }

    /// - Returns: Whether the watchdog had to end it.
    private static func ended(
        _ process: Process, limit: Duration, meanwhile: @escaping @Sendable (Int32) async -> Void
    ) async throws -> Bool {
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        let pid = process.processIdentifier
        let watchdog = Task {
            try await Task.sleep(for: limit)
            kill(pid, SIGKILL)
        }
        let companion = OwnThread.task { await meanwhile(pid) }
        await withTaskCancellationHandler {
            for await _ in ends {}
        } onCancel: {
            // Foundation traps where it is asked about a process that still runs.
            kill(pid, SIGKILL)
        }
        watchdog.cancel()
        while process.isRunning { await Task.yield() }
        companion.cancel()
        await companion.value
        return (try? await watchdog.value) != nil
    }
}
