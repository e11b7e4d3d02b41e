#if os(Linux)
import Foundation
import TestSupport

final class SampleCompiler: Sendable {
    struct Result: Sendable {
        let status: Int32
        let output: String
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    @TaskLocal static var current: SampleCompiler?

    private let directory: URL
    private let queue: CompilerQueue
    private let iOS: Task<URL, any Error>
    private let macOS: Task<URL, any Error>
    private let testingMacros: Task<String, any Error>

    init(directory: URL) {
        let queue = CompilerQueue(temporaryDirectory: directory)
        (self.directory, self.queue) = (directory, queue)
        iOS = Task { try await Self.makeModules("iOS", in: directory, queue) }
        macOS = Task { try await Self.makeModules("macOS", in: directory, queue) }
        testingMacros = Task {
            struct Target: Decodable { struct Paths: Decodable { let runtimeResourcePath: String }; let paths: Paths }
            let info = try await queue.succeed(["swiftc", "-print-target-info"])
            let path = try JSONDecoder().decode(Target.self, from: Data(info.utf8)).paths.runtimeResourcePath
            return path + "/host/plugins/libTestingMacros.so"
        }
    }

    func typecheck(_ sample: Sample, isIsolated: Bool = false) async throws -> Result {
        let modules = try await (sample.imports("AppKit") ? macOS : iOS).value
        // The settings of a new project in Xcode 26, apart from the language mode.
        let isolation = [
            "-default-isolation", "MainActor", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
        ]
        return try await compile(
            sample,
            ["-typecheck", "-I", modules.path, "-Xfrontend", "-disable-cross-import-overlays"]
                + (isIsolated ? isolation : []))
    }

    func run(_ sample: Sample) async throws -> WatchedProcess {
        let products = WatchedProcess.url(of: "")
        let objects = try sample.libraries.flatMap { library in
            // The build directory may contain object files of deleted sources, so `objects` is derived from the sources
            // that exist.
            let sources = Texts.root.appending(path: "Sources/\(library)")
            return try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
                .map { products.appending(path: "\(library).build/\(URL(filePath: $0).lastPathComponent).o").path }
        }
        let program = directory.appending(path: UUID().uuidString)
        let modules = products.appending(path: "Modules")
        let result = try await compile(sample, ["-I", modules.path, "-o", program.path] + objects)
        guard result.status == 0 else { throw Failure(description: result.output) }
        return try await WatchedProcess.run(program.path)
    }

    private func compile(_ sample: Sample, _ arguments: [String]) async throws -> Result {
        let file = directory.appending(path: "\(UUID().uuidString).swift")
        try sample.source.write(to: file, atomically: true, encoding: .utf8)
        var arguments = [file.path, "-module-name", "Sample"] + arguments
        arguments += ["-swift-version", "6", "-warnings-as-errors"]
        if sample.source.contains("@main\n") || sample.hasTests { arguments.append("-parse-as-library") }
        if sample.imports("Testing") {
            arguments += ["-load-plugin-library", try await testingMacros.value]
        }
        if sample.hasTests, sample.runs {
            let runner = directory.appending(path: "\(UUID().uuidString).swift")
            try Self.testRunner.write(to: runner, atomically: true, encoding: .utf8)
            arguments.append(runner.path)
        }
        return try await queue.run(["swiftc"] + arguments)
    }

    private static let testRunner = """
        import Testing

        @main struct Runner {
            static func main() async { await Testing.__swiftPMEntryPoint() as Never }
        }
        """

    private static func makeModules(_ system: String, in directory: URL, _ queue: CompilerQueue) async throws -> URL {
        let modules = directory.appending(path: system)
        try await queue.succeed([Texts.root.appending(path: "Tests/AppleStubs/build").path, system, modules.path])
        let all = try FileManager.default.contentsOfDirectory(atPath: Texts.root.appending(path: "Sources").path)
        // With the Network module, `ConnectivitySource` would be declared twice: under `os(Linux)` and
        // `canImport(Network)`.
        try FileManager.default.removeItem(at: modules.appending(path: "Network.swiftmodule"))
        // NetworkIndicatorTransfers must be compiled after NetworkIndicatorURLSession, which it imports.
        let transfers = "NetworkIndicatorTransfers"
        let others = all.filter { $0.hasPrefix("NetworkIndicator") && $0 != transfers }.sorted()
        for library in others + [transfers] {
            let sources = Texts.root.appending(path: "Sources/\(library)")
            let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
                .filter { $0.hasSuffix(".swift") }.map { sources.appending(path: $0).path }
            let features = [
                "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "InferIsolatedConformances",
            ]
            try await queue.succeed(
                [
                    "swiftc", "-wmo", "-emit-module", "-emit-module-path", modules.path + "/\(library).swiftmodule",
                    "-module-name", library, "-package-name", "networkindicator", "-swift-version", "6",
                    "-parse-as-library", "-I", modules.path,
                ] + features.flatMap { ["-enable-upcoming-feature", $0] } + files)
        }
        return modules
    }
}

private final class CompilerQueue: Sendable {
    private let temporaryDirectory: URL
    private let queue = OperationQueue()

    init(temporaryDirectory: URL) {
        self.temporaryDirectory = temporaryDirectory
        queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
    }

    @discardableResult
    func succeed(_ command: [String]) async throws -> String {
        let result = try await run(command)
        guard result.status == 0 else {
            throw SampleCompiler.Failure(description: "\(command.joined(separator: " "))\n\(result.output)")
        }
        return result.output
    }

    func run(_ command: [String]) async throws -> SampleCompiler.Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.addOperation { [self] in
                continuation.resume(with: Swift.Result { try runAndWait(command) })
            }
        }
    }

    private func runAndWait(_ command: [String]) throws -> SampleCompiler.Result {
        while Process.hasManyDescriptors { usleep(10_000) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": temporaryDirectory.path]) { $1 }
        process.currentDirectoryURL = Texts.root
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return SampleCompiler.Result(
            status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
    }
}
#endif
