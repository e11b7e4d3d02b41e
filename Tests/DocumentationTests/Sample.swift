import Foundation

/// A code block in the README, an article or a documentation comment, and the code before it that its reader has.
///
/// A sample with imports is a file. Any other sample follows the program of its page, or imports of the libraries and
/// of `Modules/Values.swift` if the page has no program. A comment before the fence can contain directives, as in
/// `<!-- sample: imports Clients, runs -->`:
/// - `program` makes the sample the program of its page.
/// - `file PATH` makes the sample a file of the package that its page describes. `PackageTests` builds this package.
/// - `imports NAME` also imports `Modules/NAME.swift`, with its internal declarations.
/// - `extends NAME` puts the sample into an extension of a type.
/// - `runs` also runs the sample.
struct Sample: Sendable {
    enum System: String {
        case any, appKit, uiKit, apple
    }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    let path: String
    /// The line of the fence.
    let line: Int
    let code: String
    /// The source of the page's program.
    private let program: String?
    private let directives: [[String]]
    private let isConditional: Bool

    var runs: Bool { directives.contains(["runs"]) }

    var file: String? { arguments(of: "file").first }

    /// Swift Testing isn't part of an SDK.
    var hasTests: Bool { source.contains(/#expect|@Test|import Testing/) }

    var hasMain: Bool { source.contains("@main") || source.contains("@Test ") }

    var hasDeclarations: Bool { code.contains(#/\b(class|enum|extension|func|struct) /#) }

    var isManifest: Bool { file == "Package.swift" }

    var isFragment: Bool { !code.contains(#/(?m)^import /#) }

    var system: System {
        if code.contains(/import AppKit|NSToolbarItem|NSProgressIndicator/) { return .appKit }
        if code.contains(/import UIKit|UI(ActivityIndicator|BarButton|Progress)|StatusBar/) { return .uiKit }
        let isForApple = code.contains(/SwiftUI|NetworkIndicatorUI|SpinnerIndicator|import BackgroundTasks/)
        return isConditional || isForApple ? .apple : .any
    }

    var source: String {
        var modules = arguments(of: "imports").map { "@testable import \($0)\n" }.joined()
        if code.contains("#expect") { modules += "import Testing\n" }
        let located = "#sourceLocation(file: \"\(path)\", line: \(line + 1))\n\(code)#sourceLocation()\n"
        let placed = arguments(of: "extends").first.map { "extension \($0) {\n\(located)}\n" } ?? located
        let earlier = isFragment ? program ?? Self.beginning : file == nil ? "" : program ?? ""
        return modules + earlier + placed
    }

    private func arguments(of directive: String) -> [String] {
        directives.filter { $0[0] == directive }.map { $0[1] }
    }

    private static let beginning = """
        import Foundation
        import NetworkIndicator
        import NetworkIndicatorProgress
        import NetworkIndicatorTerminal
        import NetworkIndicatorTestKit
        import NetworkIndicatorTracing
        import NetworkIndicatorTransfers
        import NetworkIndicatorURLSession
        #if canImport(SwiftUI)
        import NetworkIndicatorUI
        import SwiftUI
        #endif
        @testable import Values

        """

    static func all() throws -> [Sample] {
        let sources = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources").path)
            .filter { $0.hasPrefix("NetworkIndicator") && ($0.hasSuffix(".md") || $0.hasSuffix(".swift")) }
        return try (["README.md"] + sources.sorted().map { "Sources/\($0)" }).flatMap {
            all(in: $0, try String(contentsOf: root.appending(path: $0), encoding: .utf8))
        }
    }

    static func all(in path: String, _ text: String) -> [Sample] {
        var samples: [Sample] = []
        var program: String?
        var directives: [[String]] = []
        var block: (line: Int, isSwift: Bool, code: String)?
        for (index, var line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if path.hasSuffix(".swift") {
                guard let comment = line.wholeMatch(of: #/ *\/\/\/ ?(.*)/#) else { continue }
                line = comment.1
            }
            let content = line.drop { $0 == " " }
            if let match = content.wholeMatch(of: /<!-- sample: (.*) -->/) {
                directives = match.1.split(separator: ", ").map { $0.split(separator: " ").map(String.init) }
            } else if content.hasPrefix("```"), let (line, isSwift, code) = block {
                block = nil
                guard isSwift else { continue }
                let sample = Sample(
                    path: path, line: line, code: code, program: program, directives: directives,
                    isConditional: text.hasPrefix("#if canImport("))
                if directives.contains(["program"]) { program = sample.source }
                samples.append(sample)
                directives = []
            } else if content.hasPrefix("```") {
                block = (index + 1, content == "```swift", "")
            } else {
                block?.code += line + "\n"
            }
        }
        return samples
    }
}
