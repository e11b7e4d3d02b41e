#if os(Linux)
import Foundation
import LoopbackServer
import TestSupport
import Testing

/// Builds the packages of pages as their readers do: a manifest and files, beside a folder `NetworkIndicator`. The
/// directory of products keeps the packages and what they share, so that later runs build only what has changed.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PackageTests {
    private let directory = WatchedProcess.url(of: "Packages")
    private var package: URL { directory.appending(path: "App") }

    init() throws {
        try? FileManager.default.removeItem(at: package)
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        let dependency = directory.appending(path: "NetworkIndicator")
        try? FileManager.default.removeItem(at: dependency)
        try FileManager.default.createSymbolicLink(at: dependency, withDestinationURL: Sample.root)
    }

    @Test func theReadme() async throws {
        let samples = try write("README.md")
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on("/film.mp4", .generated(size: 200_000))
        try await swift("run", "App", server.url("/film.mp4").absoluteString)
        #expect(try Data(contentsOf: package.appending(path: "film.mp4")).count == 200_000)

        let program = try #require(samples.first { $0.file?.hasSuffix("main.swift") == true })
        let fragments = samples.filter { $0.isFragment && $0.system == .any }
        for fragment in fragments {
            try write(program.code + "\n" + fragment.code, to: program.file!)
            try await swift("build")
        }
        #expect(!fragments.isEmpty)
    }

    @Test func gettingStarted() async throws {
        _ = try write("Sources/NetworkIndicator/Documentation.docc/GettingStarted.md")
        #expect(try await swift("run").output == "off\non\noff\n")
        try await swift("test")
    }

    private func write(_ page: String) throws -> [Sample] {
        let samples = try Sample.all().filter { $0.path == page }
        let manifest = samples.first { $0.isManifest }?.code ?? ""
        for sample in samples {
            guard let file = sample.file else { continue }
            try write(sample.code, to: file)
            // An earlier build may have left modules that the package lacks.
            for module in sample.code.matches(of: /import (NetworkIndicator\w*)/) {
                #expect(manifest.contains("\"\(module.1)\""), "\(page): \(module.1)")
            }
        }
        return samples
    }

    private func write(_ code: String, to path: String) throws {
        let file = package.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(code.utf8).write(to: file)
    }

    @discardableResult
    private func swift(_ command: String, _ arguments: String...) async throws -> WatchedProcess {
        let options = ["--scratch-path", directory.appending(path: "build").path, "-Xswiftc", "-warnings-as-errors"]
        let process = try await WatchedProcess.run(
            "/usr/bin/env", ["swift", command] + options + arguments, in: package, hasOwnTemporaryDirectory: true)
        #expect(process.end == .exited(0), "\(process.output)\(process.errors)")
        return process
    }
}
#endif
