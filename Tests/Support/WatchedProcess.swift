package import Foundation
import NetworkIndicator

package struct WatchedProcess: Sendable {
    package enum End: Sendable, Hashable {
        case exited(Int32)
        case killed(signal: Int32)
        case hung
    }

    package let end: End
    package let output: String
    package let errors: String

    /// - Parameters:
    ///   - hasOwnTemporaryDirectory: Whether to set `TMPDIR` to a directory that this method deletes. URLSession on
    ///     Linux leaves temporary files behind.
    ///   - meanwhile: A closure that receives the program's process identifier, on a thread of its own, because other
    ///     tests may block the cooperative thread pool. When the program ends, the thread is cancelled.
    package static func run(
        _ product: String, _ arguments: [String] = [], environment: [String: String] = [:], in directory: URL? = nil,
        hasOwnTemporaryDirectory: Bool = false, limit: Duration = .seconds(240),
        meanwhile: @escaping @Sendable (Int32) -> Void = { _ in }
    ) async throws -> WatchedProcess {
        ResourceLimit.raiseDescriptors()
        ParentWatch.start()
        while Process.hasManyDescriptors { try await Task.sleep(for: .milliseconds(10)) }
        let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        // The output goes to files, because a full pipe would block the program.
        let (output, errors) = (scratch.appending(path: "output"), scratch.appending(path: "errors"))
        for file in [output, errors] { try Data().write(to: file) }

        let process = Process()
        let program = product.hasPrefix("/") ? URL(filePath: product) : self.url(of: product)
        #if os(Linux)
        // A subprocess inherits ignored signals, and concurrent calls to libcurl can leave SIGPIPE ignored.
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["--default-signal=PIPE", program.path] + arguments
        #else
        process.executableURL = program
        process.arguments = arguments
        #endif
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if hasOwnTemporaryDirectory {
            let temporary = scratch.appending(path: "temporary")
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
            process.environment?["TMPDIR"] = temporary.path + "/"
        }
        process.currentDirectoryURL = directory
        process.standardInput = FileHandle.nullDevice
        let handles = try [output, errors].map { try FileHandle(forWritingTo: $0) }
        // Foundation may leak the `Process` object, which would keep these handles open.
        defer { for handle in handles { try? handle.close() } }
        (process.standardOutput, process.standardError) = (handles[0], handles[1])
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

    package static func succeeds(_ command: String) async throws -> Bool {
        try await run("/bin/sh", ["-c", command]).end == .exited(0)
    }

    /// Call this method only in the `meanwhile` closure of `run`. If the result is `false`, another process may already
    /// have the program's identifier.
    package static func wait(until condition: () -> Bool) -> Bool {
        while !condition() {
            guard !Thread.current.isCancelled else { return false }
            usleep(5_000)
        }
        return !Thread.current.isCancelled
    }

    package static func url(of product: String) -> URL {
        let arguments = CommandLine.arguments.map { URL(filePath: $0) }
        let test = arguments.first { $0.pathComponents.contains { $0.hasSuffix(".xctest") } } ?? arguments[0]
        var directory = test.deletingLastPathComponent()
        while directory.pathComponents.contains(where: { $0.hasSuffix(".xctest") }) {
            directory.deleteLastPathComponent()
        }
        return directory.appending(path: product)
    }

    private static func ended(
        _ process: Process, limit: Duration, meanwhile: @escaping @Sendable (Int32) -> Void
    ) async throws -> Bool {
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        let pid = process.processIdentifier
        let watchdog = Task {
            try await Task.sleep(for: limit)
            kill(pid, SIGKILL)
        }
        let companionEnd = Signal()
        let companion = Thread {
            meanwhile(pid)
            companionEnd.send()
        }
        companion.start()
        await withTaskCancellationHandler {
            for await _ in ends {}
        } onCancel: {
            // Foundation traps if `terminationStatus` is read while the process runs, so the process must end first.
            kill(pid, SIGKILL)
        }
        watchdog.cancel()
        while process.isRunning { await Task.yield() }
        companion.cancel()
        await Task { try? await companionEnd.wait() }.value
        return (try? await watchdog.value) != nil
    }
}

extension Process {
    /// On Linux, if more than about 1,350 descriptors are open, `run()` reads past the end of a buffer and may crash
    /// (swift-corelibs-foundation #5472).
    package static var hasManyDescriptors: Bool {
        #if os(Linux)
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return descriptors?.count ?? 0 > 1_000
        #else
        return false
        #endif
    }
}
