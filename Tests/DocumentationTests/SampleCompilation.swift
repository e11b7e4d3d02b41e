#if os(Linux)
import Foundation
import Testing

struct SampleCompilation: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "samples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await SampleCompiler.$current.withValue(SampleCompiler(directory: directory), operation: function)
    }
}

extension Trait where Self == SampleCompilation {
    static var sampleCompilation: Self { SampleCompilation() }
}
#endif
