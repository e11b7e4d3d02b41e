import Foundation
import Testing

/// A Swift sample of a text: a fenced block marked `swift`, in Markdown or in a documentation comment.
///
/// A sample stands for itself unless the text says otherwise, in a comment on the line before the fence:
/// - `<!-- sample: prelude NAME -->`: `Preludes/NAME.swift` goes before it, or around it if that has a line `// sample`;
/// - `<!-- sample: continues -->`: the sample before it does, with whatever goes around that.
///
/// A line `let name = …` of a prelude is left out where the sample declares that name itself.
///
/// Before a sample in a documentation comment go the imports of its file, its module's, `let manager = …`, and
/// `Preludes/File.swift` where there is one for `File.swift`.
struct Sample: Sendable, CustomTestStringConvertible {
    /// Of the text, from the package's root.
    let path: String
    /// Of the first line of code.
    let line: Int
    let code: String
    let surroundings: Surroundings

    /// Pieces of code around a sample, each with where it comes from.
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

    /// What the compiler is given. Errors are reported where the text has them.
    var source: String {
        (surroundings.before + [Piece(path: path, line: line, code: code)] + surroundings.after)
            .map { "#sourceLocation(file: \"\($0.path)\", line: \($0.line))\n\(withoutRedeclarations($0).code)" }
            .joined(separator: "\n")
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

    /// Whether the module named is imported.
    func imports(_ module: String) -> Bool { source.contains("import \(module)\n") }
}

/// Something in a text that is no sample though it looks like one.
struct SampleError: Error, CustomStringConvertible {
    let description: String
}

extension Sample {
    /// The samples of a text.
    ///
    /// - Parameters:
    ///   - path: Where the text is, from the package's root.
    ///   - text: Markdown, or Swift with documentation comments.
    ///   - prelude: The code of the prelude with that name, or `nil` where there is none.
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
                    let surroundings =
                        directive.isEmpty
                        ? standard
                        : try self.surroundings(
                            directive, path: path, line: block.line, last: samples.last, prelude: prelude)
                    samples.append(
                        Sample(
                            path: path, line: block.line, code: block.code.joined(separator: "\n"),
                            surroundings: surroundings))
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

    /// What goes around the samples in a file's documentation comments.
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

    /// What a directive asks to go around a sample.
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
            description: "\(path):\(line): 'sample: \(directive)' is neither 'continues' after another sample nor "
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
