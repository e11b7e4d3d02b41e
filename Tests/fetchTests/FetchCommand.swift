import Foundation
import LoopbackServer
import TestSupport

/// Whether this system has `/dev/full`. Apple's systems don't.
let hasDevFull = FileManager.default.fileExists(atPath: "/dev/full")

/// The built program in a new directory, and a server in the test's process.
final class FetchCommand: Sendable {
    let server: LoopbackServer
    /// The working directory of the program. It is removed with this object.
    let directory: URL

    init() throws {
        DescriptorLimit.raise()
        server = try LoopbackServer()
        directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: directory)
    }

    /// With the Thread Sanitizer, the limit of `ulimit -f` would also apply to the sanitizer's own file.
    static let isThreadSanitized = dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil

    func run(
        _ words: String..., environment: [String: String] = [:],
        meanwhile: @escaping @Sendable (Int32) async -> Void = { _ in }
    ) async throws -> WatchedProcess {
        try await run(words, environment: environment, meanwhile: meanwhile)
    }

    func run(
        _ words: [String], environment: [String: String] = [:],
        meanwhile: @escaping @Sendable (Int32) async -> Void = { _ in }
    ) async throws -> WatchedProcess {
        try await WatchedProcess.run(
            "fetch", words, environment: environment, in: directory, meanwhile: meanwhile)
    }

    /// Runs a shell script that has the program and its arguments in `"$@"`.
    func run(
        shell script: String, _ words: String..., meanwhile: @escaping @Sendable (Int32) async -> Void = { _ in }
    ) async throws -> WatchedProcess {
        try await run(shell: script, arguments: words, meanwhile: meanwhile)
    }

    func run(
        shell script: String, arguments words: [String],
        meanwhile: @escaping @Sendable (Int32) async -> Void = { _ in }
    ) async throws -> WatchedProcess {
        let fetch = WatchedProcess.url(of: "fetch").path
        return try await WatchedProcess.run(
            "/bin/sh", ["-c", script, "sh", fetch] + words, in: directory, meanwhile: meanwhile)
    }

    /// The URL of a path of the server.
    func url(_ path: String) -> String { server.url(path).absoluteString }

    /// The sorted names of all files below the directory, including hidden ones.
    var files: [String] {
        (FileManager.default.subpaths(atPath: directory.path) ?? []).sorted()
    }

    func content(_ name: String) -> Data? { FileManager.default.contents(atPath: directory.appending(path: name).path) }

    /// Whether a file contains exactly a generated body.
    func holds(_ name: String, size: Int, seed: UInt64 = 1) -> Bool {
        content(name) == Data(Body.generated(size: size, seed: seed).bytes(in: 0..<size))
    }

    /// Returns a number of zeros in the gzip format.
    static func compressedZeros(_ count: Int) async throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try await WatchedProcess.run(
            "/bin/sh", ["-c", "head -c \(count) /dev/zero | gzip -n >'\(file.path)'"])
        return Array(try Data(contentsOf: file))
    }
}
