import Foundation

/// A code block in the README, an article or a documentation comment.
///
/// A sample without imports is a fragment. It follows imports of the libraries and of `Modules/Values.swift`. A comment
/// before the fence can contain directives, as in `<!-- sample: imports Clients, runs -->`:
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
    private let directives: [[String]]
    private let isConditional: Bool

    var runs: Bool { directives.contains(["runs"]) }

    /// Swift Testing and XCTest aren't part of an SDK.
    var hasTests: Bool { code.contains(/#expect|@Test|import (Testing|XCTest)/) }

    var hasMain: Bool { code.contains("@main") || code.contains("@Test ") }

    var hasDeclarations: Bool { code.contains(#/\b(class|enum|extension|func|struct) /#) }

    var system: System {
        if code.contains(/import AppKit|NSToolbarItem|NSProgressIndicator/) { return .appKit }
        if code.contains(/import UIKit|UI(ActivityIndicator|BarButton|Progress)|StatusBar/) { return .uiKit }
        let isForApple = code.contains(/SwiftUI|NetworkIndicatorUI|SpinnerIndicator|import BackgroundTasks/)
        return isConditional || isForApple ? .apple : .any
    }

    var source: String {
        let imported = directives.filter { $0[0] == "imports" }.map { $0[1] }
        let isFragment = !code.contains(#/(?m)^import /#)
        let libraries = isFragment ? Self.imports + (hasTests ? ["import Testing"] : []) : []
        let modules = (isFragment ? imported + ["Values"] : imported).map { "@testable import \($0)" }
        let type = directives.first { $0[0] == "extends" }?[1]
        let located = "#sourceLocation(file: \"\(path)\", line: \(line + 1))\n\(code)#sourceLocation()\n"
        return (libraries + modules).map { $0 + "\n" }.joined()
            + (type.map { "extension \($0) {\n\(located)}\n" } ?? located)
    }

    private static let imports = [
        "import Foundation", "import NetworkIndicator", "import NetworkIndicatorProgress",
        "import NetworkIndicatorTerminal", "import NetworkIndicatorTestKit", "import NetworkIndicatorTracing",
        "import NetworkIndicatorTransfers",
        "import NetworkIndicatorURLSession",
        "#if canImport(SwiftUI)", "import NetworkIndicatorUI", "import SwiftUI", "#endif",
    ]

    static func all() throws -> [Sample] {
        let sources = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources").path)
            .filter { $0.hasPrefix("NetworkIndicator") && ($0.hasSuffix(".md") || $0.hasSuffix(".swift")) }
        return try (["README.md"] + sources.sorted().map { "Sources/\($0)" }).flatMap {
            all(in: $0, try String(contentsOf: root.appending(path: $0), encoding: .utf8))
        }
    }

    static func all(in path: String, _ text: String) -> [Sample] {
        var samples: [Sample] = []
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
                samples.append(
                    Sample(
                        path: path, line: line, code: code, directives: directives,
                        isConditional: text.hasPrefix("#if canImport(")))
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
