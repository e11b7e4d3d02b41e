#if os(Linux)
import Foundation
import TestSupport
import Testing

@Suite(.sampleCompilation, .timeLimit(.minutes(10))) struct SampleTests {
    private func typecheck(_ sample: Sample) async throws -> SampleCompiler.Result {
        try await #require(SampleCompiler.current).typecheck(sample)
    }

    @Test(arguments: try Texts.samples().filter { !$0.runs })
    func compiles(_ sample: Sample) async throws {
        let result = try await typecheck(sample)
        #expect(result.status == 0, "\(result.output)")
    }

    /// Top-level code is isolated to the main actor in any case, so samples without declarations aren't compiled again.
    @Test(arguments: try Texts.samples().filter { $0.code.contains(#/\b(class|enum|extension|func|struct) /#) })
    func compilesWithTheMainActorAsTheDefault(_ sample: Sample) async throws {
        let result = try await #require(SampleCompiler.current).typecheck(sample, isIsolated: true)
        #expect(result.status == 0, "\(result.output)")
    }

    @Test(arguments: try Texts.samples().filter(\.runs))
    func compilesAndRuns(_ sample: Sample) async throws {
        let process = try await #require(SampleCompiler.current).run(sample)
        #expect(process.end == .exited(0), "\(process.output)\n\(process.errors)")
    }

    @Test func everyTextHasSamples() throws {
        let paths = Set(try Texts.samples().map(\.path))
        #expect(paths.contains("README.md"))
        let catalogue = "Sources/NetworkIndicator/Documentation.docc/"
        for article in ["Apps", "CommandLine", "Migrating", "NetworkIndicator", "Testing"] {
            #expect(paths.contains("\(catalogue)\(article).md"))
        }
        #expect(try Texts.samples().contains { $0.runs && $0.hasTests })
        #expect(paths.contains("Sources/NetworkIndicator/NetworkIndicatorManager.swift"))
    }

    @Test func anErrorIsReportedAtItsLineInTheText() async throws {
        let text = "One.\n\n```swift\nimport NetworkIndicator\nlet count: Int = NetworkIndicatorManager.shared\n```\n"
        let sample = try #require(try Sample.all(path: "Wrong.md", text: text) { _ in nil }.first)
        let result = try await typecheck(sample)
        #expect(result.status != 0)
        #expect(result.output.contains("Wrong.md:5:"))
    }

    @Test func aWarningIsAnError() async throws {
        let text = "```swift\nfunc f() { let unused = 1 }\n```\n"
        let sample = try #require(try Sample.all(path: "Warning.md", text: text) { _ in nil }.first)
        #expect(try await typecheck(sample).status != 0)
    }

    @Test func directives() throws {
        let text = """
            <!-- sample: prelude P -->
            ```swift
            a
            ```
            ```sh
            not swift
            ```
            <!-- sample: continues -->
            ```swift
            b
            ```
            """
        let samples = try Sample.all(path: "T.md", text: text) { $0 == "P" ? "p\n    // sample\nq" : nil }
        #expect(samples.map { $0.surroundings.before.map(\.code) + [$0.code] } == [["p", "a"], ["p", "a", "b"]])
        #expect(samples.map { $0.surroundings.after.map(\.code) } == [["q"], ["q"]])
        #expect(samples.map(\.line) == [3, 10])
    }

    @Test func aDirectiveThatRunsTheSample() throws {
        let text = "<!-- sample: runs -->\n```swift\na\n```\n<!-- sample: continues, runs -->\n```swift\nb\n```"
        let samples = try Sample.all(path: "T.md", text: text) { _ in nil }
        #expect(samples.map(\.runs) == [true, true])
        #expect(samples.map { $0.surroundings.before.map(\.code) } == [[], ["a"]])
    }

    @Test func aFailingProgramIsReported() async throws {
        let text = "<!-- sample: runs -->\n```swift\nimport Foundation\nexit(3)\n```\n"
        let sample = try #require(try Sample.all(path: "Exit.md", text: text) { _ in nil }.first)
        #expect(try await #require(SampleCompiler.current).run(sample).end == .exited(3))
    }

    @Test func aPreludeOmitsWhatTheSampleDeclares() throws {
        let text = "<!-- sample: prelude P -->\n```swift\nlet (a, b) = f()\n```"
        let sample = try #require(try Sample.all(path: "T.md", text: text) { _ in "let a = 1\nlet c = 2" }.first)
        #expect(!sample.source.contains("let a = 1"))
        #expect(sample.source.contains("let c = 2"))
    }

    @Test(arguments: [
        "<!-- sample: prelude Missing -->\n```swift\n```", "<!-- sample: continues -->\n```swift\n```",
        "<!-- sample: prelude -->\n```swift\n```", "```swift\nnever closed", "<!-- sample: continues -->\nText",
    ])
    func invalidDirectivesThrow(_ text: String) {
        #expect(throws: SampleError.self) { try Sample.all(path: "T.md", text: text) { _ in nil } }
    }
}
#endif
