import Foundation
import LoopbackServer
import TestSupport

final class FetchCommand: Sendable {
    let server: LoopbackServer
    let directory: URL

    init() throws {
        ResourceLimit.raiseDescriptors()
        server = try LoopbackServer()
        directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: directory)
    }

    func run(
        _ words: [String], environment: [String: String] = [:],
        meanwhile: @escaping @Sendable (Int32) -> Void = { _ in }
    ) async throws -> WatchedProcess {
        try await WatchedProcess.run("fetch", words, environment: environment, in: directory, meanwhile: meanwhile)
    }

    func run(shell script: String, _ words: [String]) async throws -> WatchedProcess {
        let fetch = WatchedProcess.url(of: "fetch").path
        return try await WatchedProcess.run("/bin/sh", ["-c", script, "sh", fetch] + words, in: directory)
    }

    /// The server responds when the file contains the pattern, a regular expression.
    func respond(to path: String, _ response: Response, when pattern: String, in name: String) {
        let file = file(name)
        server.on(path) { _ in
            func text() -> String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }
            for _ in 0..<2_000 where text().range(of: pattern, options: .regularExpression) == nil { usleep(50_000) }
            return response
        }
    }

    func url(_ path: String) -> String { server.url(path).absoluteString }

    func file(_ name: String) -> URL { directory.appending(path: name) }

    var files: [String] { (FileManager.default.subpaths(atPath: directory.path) ?? []).sorted() }

    func content(_ name: String) -> Data? { FileManager.default.contents(atPath: file(name).path) }

    func holds(_ name: String, size: Int) -> Bool {
        content(name) == Data(Body.generated(size: size, seed: 1).bytes(in: 0..<size))
    }
}
