import Foundation
import TestSupport
import Testing

@testable import fetch

/// Random command lines and file names.
@Suite struct FuzzTests {
    // MARK: Arguments

    private static let words = [
        "-", "--", "---", "-o", "--output", "--output=", "-o=", "-j", "-j64", "-j0", "--jobs=-1", "--jobs", "-q",
        "-qqq",
        "-qo", "--quiet=1", "--force", "--timeout", "86400", "99999999999999999999", "--indicator", "auto", "never",
        "--indicator=", "--help", "-h", "--version", "http://a/b", "HTTPS://A", "http://", "http:///x", "file:///etc",
        "http://[::1]:99999/%", "", "=", "\u{0}", "é\u{301}", "http://a/\u{202E}", "../..",
    ]

    @Test func anyWordsAreACommandOrProblems() {
        var generator = SeededGenerator(seed: 1)
        var (runs, problems) = (0, 0)
        for _ in 0..<20_000 {
            var words: [String] = []
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                var word = Self.words.randomElement(using: &generator)!
                if Int.random(in: 0..<8, using: &generator) == 0 {
                    word += Self.words.randomElement(using: &generator)!
                }
                words.append(word)
            }
            do {
                let arguments = try Arguments(words)
                guard arguments.text == nil else { continue }
                runs += 1
                #expect(Arguments.jobsRange.contains(arguments.jobs), "\(words)")
                #expect(Arguments.timeRange.contains(arguments.timeout), "\(words)")
                #expect(arguments.output != "", "\(words)")
                for url in arguments.urls {
                    #expect(["http", "https"].contains(url.scheme) && url.host?.isEmpty == false, "\(words)")
                }
            } catch {
                problems += 1
                #expect(!error.problems.isEmpty)
            }
        }
        #expect(runs > 500 && problems > 5_000)
    }

    // MARK: File names

    private static let pieces = [
        "%2e", "%2E%2e", "..", ".", "%2f", "%5c", "/", "\\", "%00", "%0a", "%1b%5b31m", "%c3%28", "%ff", "%", "%2", "-",
        "%2d", "%CC%81", "%E2%80%AE", "%E2%80%8F", "%20", "a", "b.txt", ".tar.gz", "~", "CON", "%25%32%66", "+",
        "%F0%9F%98%80",
        String(repeating: "x", count: 200), String(repeating: "%C3%A9", count: 90), ".part", "index.html",
    ]

    private func url(using generator: inout SeededGenerator) -> URL? {
        let pieces = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
            // Some pieces are random bytes.
            let byte = String(UInt8.random(in: 0...255, using: &generator), radix: 16)
            return (Self.pieces + ["%" + (byte.count == 1 ? "0" : "") + byte]).randomElement(using: &generator)!
        }
        return URL(string: "http://host/" + pieces.joined())
    }

    @Test func anyURLsHaveUniqueNamesInsideTheDirectory() throws {
        var generator = SeededGenerator(seed: 2)
        let directory = URL(filePath: "/downloads", directoryHint: .isDirectory)
        var named = 0
        for _ in 0..<5_000 {
            let urls = (0..<4).compactMap { _ in url(using: &generator) }
            let names = FileName.names(for: urls)
            try #require(names.count == urls.count)
            #expect(Set(names.map { Array($0.utf8) }).count == names.count, "\(urls)")
            for (url, name) in zip(urls, names) {
                named += 1
                expectSafe(name, url)
                let path = directory.appending(path: name, directoryHint: .notDirectory).standardizedFileURL.path()
                #expect(path.hasPrefix("/downloads/") && path.split(separator: "/").count == 2, "\(url): \(path)")
            }
        }
        #expect(named > 10_000)
    }

    /// Compares bytes, like a file system and a shell, because a combining mark changes Swift's characters.
    private func expectSafe(_ name: String, _ url: URL) {
        let bytes = Array(name.utf8)
        #expect((1...255).contains(bytes.count), "\(url)")
        #expect(!bytes.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") }, "\(url): \(name)")
        #expect(bytes.first != UInt8(ascii: "."), "hidden: \(url): \(name.debugDescription)")
        #expect(bytes.first != UInt8(ascii: "-"), "an option: \(url): \(name.debugDescription)")
        #expect(!name.unicodeScalars.contains { ("\u{202A}"..."\u{202E}").contains($0) || $0 == "\u{200F}" })
    }
}
