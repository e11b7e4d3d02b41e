import Foundation

enum Texts {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func samples() throws -> [Sample] {
        try paths().flatMap { path in
            try Sample.all(path: path, text: String(contentsOf: root.appending(path: path), encoding: .utf8)) { name in
                let file = root.appending(path: "Tests/DocumentationTests/Preludes/\(name).swift")
                return try? String(contentsOf: file, encoding: .utf8)
            }
        }
    }

    private static func paths() throws -> [String] {
        let sources = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources").path)
        let texts = sources.filter {
            $0.hasPrefix("NetworkIndicator") && ($0.hasSuffix(".md") || $0.hasSuffix(".swift"))
        }
        .sorted().map { "Sources/\($0)" }
        return ["README.md"] + texts
    }
}
