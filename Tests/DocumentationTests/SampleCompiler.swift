#if os(Linux)
import Foundation
import TestSupport

/// Compiles samples, and as many at a time as the machine has processors.
actor SampleCompiler {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let shared = SampleCompiler()

    /// The settings of a new project in Xcode 26, apart from the language mode.
    static let isolated = [
        "-default-isolation", "MainActor", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
    ]

    private let products = WatchedProcess.url(of: "")
    private var freeProcessors = ProcessInfo.processInfo.activeProcessorCount
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var modules: Task<URL, any Error>?

    /// Type checking isn't enough, because the compiler finds data races only while it generates code.
    func compile(_ sample: Sample, _ options: [String] = []) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await compile(sample, in: directory, options + ["-emit-sil", "-o", "/dev/null"])
    }

    func run(_ sample: Sample) async throws -> WatchedProcess {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        // The build directory may contain object files of deleted sources.
        let sources = try FileManager.default.subpathsOfDirectory(atPath: Sample.root.appending(path: "Sources").path)
            .filter { $0.hasPrefix("NetworkIndicator") && $0.hasSuffix(".swift") }
            .map { $0.split(separator: "/") }.filter { $0[0] != "NetworkIndicatorUI" }
        var options = sources.map { products.appending(path: "\($0[0]).build/\($0.last!).o").path }
        options.append(products.appending(path: "CLibcurl.build/CLibcurl.c.o").path)
        let modules = try await self.modules().path
        options += try FileManager.default.contentsOfDirectory(atPath: modules).filter { $0.hasSuffix(".o") }
            .map { "\(modules)/\($0)" }
        let program = directory.appending(path: "Sample").path
        options += ["-o", program]
        if sample.hasTests {
            let runner = directory.appending(path: "Runner.swift")
            let main = "static func main() async { await Testing.__swiftPMEntryPoint() as Never }"
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try Data("import Testing\n@main struct Runner { \(main) }".utf8).write(to: runner)
            options.append(runner.path)
        }
        try await compile(sample, in: directory, options)
        return try await WatchedProcess.run(program)
    }

    private func compile(_ sample: Sample, in directory: URL, _ options: [String]) async throws {
        let file = directory.appending(path: "main.swift")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data(sample.source.utf8).write(to: file)
        let modules = try await self.modules().path
        try await swiftc(
            [file.path, "-module-name", "Sample", "-I", modules] + (sample.hasMain ? ["-parse-as-library"] : [])
                + options)
    }

    private func modules() async throws -> URL {
        if let modules { return try await modules.value }
        let task = Task {
            let directory = products.appending(path: "SampleModules")
            try? FileManager.default.removeItem(at: directory)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let sources = Sample.root.appending(path: "Tests/DocumentationTests/Modules")
            for file in try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil) {
                let module = file.deletingPathExtension().lastPathComponent
                try await swiftc([
                    file.path, "-module-name", module, "-parse-as-library", "-enable-testing", "-c", "-o",
                    directory.appending(path: "\(module).o").path, "-emit-module-path",
                    directory.appending(path: "\(module).swiftmodule").path,
                ])
            }
            return directory
        }
        modules = task
        return try await task.value
    }

    private func swiftc(_ arguments: [String]) async throws {
        if freeProcessors > 0 {
            freeProcessors -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        defer {
            if waiting.isEmpty {
                freeProcessors += 1
            } else {
                waiting.removeFirst().resume()
            }
        }
        let modules = ["Modules", "CLibcurl.build"].flatMap { ["-I", products.appending(path: $0).path] }
        let process = try await WatchedProcess.run(
            "/usr/bin/env", ["swiftc", "-swift-version", "6", "-warnings-as-errors"] + modules + arguments,
            hasOwnTemporaryDirectory: true)
        guard process.end == .exited(0) else { throw Failure(description: process.output + process.errors) }
    }
}
#endif
