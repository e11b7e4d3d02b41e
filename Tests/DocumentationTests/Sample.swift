import Foundation
import Testing

/// A comment before the fence of a code block can contain directives:
/// - `<!-- sample: prelude NAME -->` puts `Preludes/NAME.swift` before the sample. If the prelude has a line
///   `// sample`, the sample replaces that line.
/// - `<!-- sample: continues -->` puts the previous sample, with its surrounding code, before this one.
/// - If a prelude has a line `// module NAME`, it stands for that module, so the sample's import of NAME is omitted.
/// - `<!-- sample: runs -->` also runs the sample. Write `, runs` after another directive to combine them.
///
/// Without `prelude` or `continues`, a sample in a documentation comment follows the imports of its file and
/// `let manager = …`. If a prelude has the name of the file, the sample also follows this prelude. If the sample itself
/// declares `manager` or a constant of the prelude, the other declaration is omitted.
struct Sample: Sendable, CustomTestStringConvertible {
    let path: String
    let line: Int
    let code: String
    let surroundings: Surroundings
    var runs = false

    struct Surroundings {
        var before: [Piece] = []
        var after: [Piece] = []
    }

    struct Piece: Sendable {
        let path: String
        let line: Int
        let code: String
    }

    var testDescription: String { "\(path):\(line)" }

    var source: String {
        (surroundings.before + [Piece(path: path, line: line, code: codeWithoutModuleOfPrelude)] + surroundings.after)
            .map { "#sourceLocation(file: \"\($0.path)\", line: \($0.line))\n\(withoutRedeclarations($0).code)" }
            .joined(separator: "\n")
    }

    private var codeWithoutModuleOfPrelude: String {
        let modules = surroundings.before.compactMap { $0.code.firstMatch(of: /(?m)^\/\/ module (\w+)$/)?.1 }
        return modules.reduce(code) {
            $0.replacing("@testable import \($1)\n", with: "\n").replacing("import \($1)\n", with: "\n")
        }
    }

    private func withoutRedeclarations(_ piece: Piece) -> Piece {
        guard piece.path != path else { return piece }
        let own = Set(
            code.matches(of: /(?m)^(?:let|var) \(?([\w, ]+)/).flatMap { $0.1.split(separator: /, |\ /) })
        let lines = piece.code.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.firstMatch(of: /^let (\w+)/).map { own.contains($0.1) } == true ? "" : line
        }
        return Piece(path: piece.path, line: piece.line, code: lines.joined(separator: "\n"))
    }

    var libraries: Set<String> {
        let imported = source.matches(of: /import (NetworkIndicator\w*)/).map { String($0.1) }
        let isTransfer = imported.contains("NetworkIndicatorTransfers")
        return Set(imported + ["NetworkIndicator"] + (isTransfer ? ["NetworkIndicatorURLSession"] : []))
    }

    var hasTests: Bool { source.contains("@Test ") }

    func imports(_ module: String) -> Bool { source.contains("import \(module)\n") }
}

struct SampleError: Error, CustomStringConvertible {
    let description: String
}

extension Sample {
    static func all(path: String, text: String, prelude: (String) -> String?) throws -> [Sample] {
        let isSwift = path.hasSuffix(".swift")
        let standard = isSwift ? self.standard(path: path, text: text, prelude: prelude) : Surroundings()
        var samples: [Sample] = []
        var directive = ""
        var open: (line: Int, code: [String], isSample: Bool, indentation: Int)?

        for (index, rawLine) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let line = isSwift ? documentation(in: rawLine) : String(rawLine) else { continue }
            let content = line.drop { $0 == " " }
            if var block = open {
                if content == "```" {
                    open = nil
                    guard block.isSample else { continue }
                    var parts = directive.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                    let runs = parts.last == "runs"
                    if runs { parts.removeLast() }
                    let place = parts.joined(separator: ", ")
                    let surroundings =
                        place.isEmpty
                        ? standard
                        : try self.surroundings(
                            place, path: path, line: block.line, last: samples.last, prelude: prelude)
                    samples.append(
                        Sample(
                            path: path, line: block.line, code: block.code.joined(separator: "\n"),
                            surroundings: surroundings, runs: runs))
                    directive = ""
                } else {
                    block.code.append(String(line.dropFirst(min(block.indentation, line.count - content.count))))
                    open = block
                }
            } else if content.hasPrefix("```") {
                open = (index + 2, [], content == "```swift", line.count - content.count)
            } else if content.hasPrefix("<!-- sample:") {
                directive = content.dropFirst("<!-- sample:".count).replacing("-->", with: "")
                    .trimmingCharacters(in: .whitespaces)
            }
        }
        if let open { throw SampleError(description: "\(path):\(open.line): this code block has no end: ```") }
        if !directive.isEmpty { throw SampleError(description: "\(path): 'sample: \(directive)' has no sample") }
        return samples
    }

    private static func documentation(in line: Substring) -> String? {
        let content = line.drop { $0 == " " }
        guard content.hasPrefix("///") else { return nil }
        return String(content.dropFirst(content.hasPrefix("/// ") ? 4 : 3))
    }

    private static func standard(path: String, text: String, prelude: (String) -> String?) -> Surroundings {
        let file = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        let imports = text.matches(of: /(?m)^(?:public |package )?import (\w+)$/).map { String($0.1) }
        let module = path.split(separator: "/")[1]
        let code = (imports + ["NetworkIndicator", String(module)]).map { "import \($0)" }.joined(separator: "\n")
        var surroundings = prelude(file).map { Surroundings(prelude: file, code: $0) } ?? Surroundings()
        surroundings.before.insert(Piece(path: path, line: 1, code: code), at: 0)
        let manager = "let manager = NetworkIndicatorManager.shared"
        surroundings.before.insert(Piece(path: #fileID, line: 1, code: manager), at: 1)
        return surroundings
    }

    private static func surroundings(
        _ directive: String, path: String, line: Int, last: Sample?, prelude: (String) -> String?
    ) throws -> Surroundings {
        if directive == "continues", var surroundings = last?.surroundings, let last {
            surroundings.before.append(Piece(path: last.path, line: last.line, code: last.code))
            return surroundings
        }
        let words = directive.split(separator: " ").map(String.init)
        if words.count == 2, words[0] == "prelude", let code = prelude(words[1]) {
            return Surroundings(prelude: words[1], code: code)
        }
        throw SampleError(
            description: "\(path):\(line): 'sample: \(directive)' is not 'runs', 'continues' after another sample, or "
                + "'prelude NAME' with a file in Tests/DocumentationTests/Preludes")
    }
}

extension Sample.Surroundings {
    init(prelude name: String, code: String) {
        let path = "Tests/DocumentationTests/Preludes/\(name).swift"
        let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
        let place = lines.firstIndex { $0.drop { $0 == " " } == "// sample" } ?? lines.endIndex
        before = [Sample.Piece(path: path, line: 1, code: lines[..<place].joined(separator: "\n"))]
        guard place < lines.endIndex else { return }
        after = [Sample.Piece(path: path, line: place + 2, code: lines[(place + 1)...].joined(separator: "\n"))]
    }
}
