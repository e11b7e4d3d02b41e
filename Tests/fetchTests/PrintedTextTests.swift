import Foundation
import LoopbackServer
import NetworkIndicatorTerminal
import NetworkIndicatorTransfers
import TestSupport
import Testing

@testable import fetch

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The program prints no passwords, and no characters that control the terminal.
@Suite struct PrintedTextTests {
    @Test(arguments: [
        ("a\u{1B}[2Jb", "a\\x1b[2Jb"), ("\u{0}\u{7F}\u{9B}\n\r\t", "\\x00\\x7f\\x9b\\x0a\\x0d\\x09"),
        ("txt\u{202E}exe", "txt\\u{202e}exe"), ("\u{2028}", "\\u{2028}"), ("é 😀 \u{200D}", "é 😀 \u{200D}"),
        ("proxy http://me:secret@h:3128/ failed", "proxy http://h:3128/ failed"),
        ("http://a@b/c@d?e@f", "http://b/c@d?e@f"), ("x://me:s@cret@h, y://you@i", "x://h, y://i"),
        ("http://me:sec\u{1B}ret@h/", "http://h/"), ("http://h/ me@h", "http://h/ me@h"),
        ("http://\u{301}me:secret@h", "http://h"),
    ])
    func printable(text: String, expected: String) {
        #expect(text.printable == expected)
    }

    private static let pieces = [
        "\u{1B}[31m", "\u{1B}]0;title\u{7}", "\u{0}", "\n", "\r", "\u{7F}", "\u{9B}2J", "\u{85}", "\u{202E}",
        "\u{2066}",
        "\u{2028}", "\u{301}", "http://", "http://me:SECRET@host/", "HTTPS://me:SECRET@h:99999", "ftp://SECRET@",
        "http://h:65536/", "://", "/", "a", " ", "@", "=", "--", "-o", "-", "%1b",
        String(repeating: "x", count: 300),
    ]

    private static let options = [
        "--output=", "--output", "--jobs=", "--max-size=", "--input-file=", "--max-time=", "--speed-limit=",
        "--header=", "--header", "--user-agent=", "--timeout=",
        "--retries=", "--indicator=", "--progress-rows=", "--timeline=", "--quiet=", "--nonsense=", "-q", "-x", "--",
    ]

    private func text(using generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...4, using: &generator))
            .map { _ in Self.pieces.randomElement(using: &generator)! }.joined()
    }

    /// - Parameter text: A line without its newline.
    private func expectClean(_ text: String, _ origin: Any) {
        #expect(text.unicodeScalars.allSatisfy { $0.isPrintable }, "\(origin): \(text.debugDescription)")
        #expect(!text.contains("SECRET"), "\(origin): \(text.debugDescription)")
    }

    @Test func usageErrors() {
        var generator = SeededGenerator(seed: 3)
        var count = 0
        for _ in 0..<5_000 {
            let words = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                let option = Bool.random(using: &generator) ? Self.options.randomElement(using: &generator)! : ""
                return option + (Bool.random(using: &generator) ? "me:SECRET@h" : "") + text(using: &generator)
            }
            do throws(UsageError) {
                _ = try Arguments(words)
            } catch {
                for problem in error.problems {
                    count += 1
                    expectClean(problem.printable, words)
                }
            }
        }
        #expect(count > 5_000)
    }

    @Test func linesAboutFiles() {
        var generator = SeededGenerator(seed: 5)
        for style in [TerminalStyle(color: .never), TerminalStyle(color: .always)] {
            for _ in 0..<2_000 {
                let (path, reason) = (text(using: &generator), text(using: &generator))
                let columns = Format.columns(status: "200", size: 5, time: "", rate: "", style)
                expectClean(columns.replacing(#/\u{1B}\[[0-9;]*m/#, with: ""), columns)
                let errors: [any Error] = [
                    DownloadError.file(.create, url: URL(filePath: "/"), code: .EEXIST),
                    DownloadError.file(.write, url: URL(filePath: "/"), code: .EIO),
                    URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: reason]),
                ]
                for error in errors { expectClean("fetch: \(Explanation.text(error, path: path))".printable, path) }
                expectClean("\(Directory.Failure(action: "make '\(path)'", code: EIO))".printable, path)
            }
        }
    }

    /// Runs the program with random words.
    @Test(.timeLimit(.minutes(5))) func standardErrorAndOutput() async throws {
        let command = try FetchCommand()
        command.server.on("/x", .text("x"))
        var generator = SeededGenerator(seed: 4)
        var lines = 0
        for _ in 0..<24 {
            let hostile = text(using: &generator).replacing("\u{0}", with: "")
            let url = command.url("/x").replacing("http://", with: "http://me:SECRET@")
            for words in [[hostile], ["-o", "d/" + hostile, url, url], ["--timeline", "no/" + hostile, url]] {
                let process = try await command.run(words)
                #expect(process.end != .hung)
                for line in (process.errors + process.output).split(separator: "\n") {
                    lines += 1
                    expectClean(String(line), words)
                }
            }
        }
        #expect(lines > 72)
    }
}
