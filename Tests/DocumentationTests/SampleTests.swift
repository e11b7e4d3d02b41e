#if os(Linux)
import Foundation
import TestSupport
import Testing

extension Sample: CustomTestStringConvertible {
    var testDescription: String { "\(path):\(line)" }
}

/// `.ci/apple` compiles the samples for Apple's systems.
@Suite(.timeLimit(.minutes(10))) struct SampleTests {
    static let samples = (try? Sample.all().filter { $0.system == .any && !$0.isManifest }) ?? []

    @Test(arguments: samples.filter { !$0.runs && $0.file == nil }) func compiles(_ sample: Sample) async throws {
        try await SampleCompiler.shared.compile(sample)
    }

    /// Top-level code is isolated to the main actor in any case.
    @Test(arguments: samples.filter { $0.hasDeclarations && !($0.file != nil && $0.hasTests) })
    func compilesWithTheMainActorAsTheDefault(_ sample: Sample) async throws {
        try await SampleCompiler.shared.compile(sample, SampleCompiler.isolated)
    }

    @Test(arguments: samples.filter(\.runs)) func compilesAndRuns(_ sample: Sample) async throws {
        let process = try await SampleCompiler.shared.run(sample)
        #expect(process.end == .exited(0), "\(process.output)\n\(process.errors)")
    }

    @Test func everyTextHasSamples() {
        let paths = Set(Self.samples.map(\.path))
        #expect(paths.count > 30)
        #expect(paths.contains("README.md"))
        #expect(Self.samples.contains { $0.runs && $0.hasTests })
    }

    @Test(arguments: [
        ("let count: Int = NetworkIndicatorManager.shared", "Wrong.md:2:42: error: cannot convert value"),
        ("func f() { let unused = 1 }", "never used"),
        (
            "final class Counter { var count = 0 }\n"
                + "func f() { let counter = Counter(); Task.detached { counter.count += 1 }; counter.count += 1 }",
            "data race"
        ),
    ])
    func anErrorIsReported(code: String, error: String) async throws {
        let sample = try #require(Sample.all(in: "Wrong.md", "```swift\n\(code)\n```\n").first)
        let failure = await #expect(throws: SampleCompiler.Failure.self) {
            try await SampleCompiler.shared.compile(sample)
        }
        #expect(failure?.description.contains(error) == true, "\(failure as Any)")
    }

    @Test func aFailingProgramIsReported() async throws {
        let sample = try #require(Sample.all(in: "Exit.md", "```swift\nimport Foundation\nexit(3)\n```\n").first)
        #expect(try await SampleCompiler.shared.run(sample).end == .exited(3))
    }
}
#endif
