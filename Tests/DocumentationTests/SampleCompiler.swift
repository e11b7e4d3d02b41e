#if os(Linux)
import Foundation

/// Compiles samples as programs of a user's: with the package's libraries, and stubs of Apple's modules.
final class SampleCompiler: Sendable {
    struct Result: Sendable {
        let status: Int32
        let output: String
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let shared = SampleCompiler()

    private let directory = FileManager.default.temporaryDirectory.appending(path: "samples-\(UUID().uuidString)")
    /// As many compilers at once as there are processors.
    private let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
        return queue
    }()
    private let uikit: Task<URL, any Error>
    private let appkit: Task<URL, any Error>

    private init() {
        let (directory, queue) = (directory, queue)
        uikit = Task { try await Self.makeModules("uikit", in: directory, queue) }
        appkit = Task { try await Self.makeModules("appkit", in: directory, queue) }
    }

    func typecheck(_ sample: Sample) async throws -> Result {
        let modules = try await (sample.imports("AppKit") ? appkit : uikit).value
        // A program of one file, whose top level runs.
        let file = directory.appending(path: "\(UUID().uuidString).swift")
        try sample.source.write(to: file, atomically: true, encoding: .utf8)
        var arguments = ["-typecheck", file.path, "-module-name", "Sample", "-I", modules.path]
        arguments += ["-Xfrontend", "-import-module", "-Xfrontend", "FoundationNetworking"]
        // Every sample is Swift 6, complete checking, no warnings.
        arguments += ["-swift-version", "6", "-warnings-as-errors", "-Xfrontend", "-disable-cross-import-overlays"]
        if sample.source.contains("@main\n") || sample.source.contains("@Test ") {
            arguments.append("-parse-as-library")
        }
        if sample.imports("Testing") {
            arguments += ["-load-plugin-library", try await Self.testingMacros(queue)]
        }
        return try await Self.run(["swiftc"] + arguments, queue)
    }

    /// Builds the stubs of a flavour, and against them every library of the package.
    private static func makeModules(_ flavour: String, in directory: URL, _ queue: OperationQueue) async throws -> URL {
        let modules = directory.appending(path: flavour)
        try await succeed([Texts.root.appending(path: "Tests/AppleStubs/build").path, flavour, modules.path], queue)
        let all = try FileManager.default.contentsOfDirectory(atPath: Texts.root.appending(path: "Sources").path)
        // Everything else is this system's, where there is no Network and URLSession has a module of its own.
        try FileManager.default.removeItem(at: modules.appending(path: "Network.swiftmodule"))
        // The core first: the others need it.
        for library in all.filter({ $0.hasPrefix("NetworkIndicator") }).sorted() {
            let sources = Texts.root.appending(path: "Sources/\(library)")
            let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
                .filter { $0.hasSuffix(".swift") }.map { sources.appending(path: $0).path }
            let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
            try await succeed(
                [
                    "swiftc", "-emit-module", "-emit-module-path", modules.path + "/\(library).swiftmodule",
                    "-module-name", library, "-package-name", "networkindicator", "-swift-version", "6",
                    "-parse-as-library", "-I", modules.path,
                ] + features.flatMap { ["-enable-upcoming-feature", $0] } + files, queue)
        }
        return modules
    }

    /// Where the macros of Swift Testing are: the package manager knows, a compiler by itself does not.
    private static func testingMacros(_ queue: OperationQueue) async throws -> String {
        struct Target: Decodable { struct Paths: Decodable { let runtimeResourcePath: String }; let paths: Paths }
        let info = try await succeed(["swiftc", "-print-target-info"], queue)
        let path = try JSONDecoder().decode(Target.self, from: Data(info.utf8)).paths.runtimeResourcePath
        return path + "/host/plugins/libTestingMacros.so"
    }

    @discardableResult
    private static func succeed(_ command: [String], _ queue: OperationQueue) async throws -> String {
        let result = try await run(command, queue)
        guard result.status == 0 else {
            throw Failure(description: "\(command.joined(separator: " "))\n\(result.output)")
        }
        return result.output
    }

    private static func run(_ command: [String], _ queue: OperationQueue) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.addOperation {
                continuation.resume(with: Swift.Result { try runAndWait(command) })
            }
        }
    }

    private static func runAndWait(_ command: [String]) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = Texts.root
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
    }
}
#endif
