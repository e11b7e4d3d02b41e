import Foundation
import Testing

@testable import fetch

@Suite struct ArgumentsTests {
    private let url = "http://h/a"

    private func problem(_ words: String...) -> String {
        do {
            _ = try Arguments(words)
            return ""
        } catch {
            return error.problem
        }
    }

    @Test func everyOptionInEveryForm() throws {
        let expected = Arguments(
            urls: [URL(string: url)!], output: "d", replacesFiles: true, jobs: 3, timeout: 9, retries: 5,
            waitsForConnectivity: true, progressRows: 4, timeline: "t", isQuiet: true)
        let flags = ["--force", "--wait-for-connectivity"]
        let apart = [
            "--output", "d", "--jobs", "3", "--timeout", "9", "--retries", "5", "--progress-rows", "4", "--timeline",
            "t", "--quiet",
        ]
        let joined = [
            "--output=d", "--jobs=3", "--timeout=9", "--retries=5", "--progress-rows=4", "--timeline=t", "-q",
        ]
        #expect(try Arguments(flags + apart + [url]) == expected)
        #expect(try Arguments([url] + joined + flags) == expected)
        #expect(try Arguments(["-o", "d", "-j", "3"] + joined.dropFirst(2) + flags + [url]) == expected)
        #expect(try Arguments(["-c", url]).continuesFiles && Arguments(["--continue", url]).continuesFiles)
        #expect(try Arguments(["-o", "a=b", "--output=--force", "--jobs=1", "-j", "64", url]).output == "--force")
    }

    @Test func escapesAreNotEncodedAgain() throws {
        let urls = try Arguments(["\(url)%20b|c?s=a%2Fb&f=é"]).urls
        #expect(urls.map(\.absoluteString) == ["\(url)%20b%7Cc?s=a%2Fb&f=%C3%A9"])
    }

    @Test func helpNamesOptionsAndExitCodes() throws {
        for word in ["-h", "--help"] { #expect(try Arguments([word]).text == Help.text) }
        #expect(try Arguments(["--version"]).text == Help.version)
        #expect(Help.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let options = [
            "-o, --output", "--force", "-c, --continue", "-j, --jobs", "--timeout", "--retries",
            "--wait-for-connectivity", "--progress-rows", "--timeline", "-q, --quiet", "-h, --help", "--version",
        ]
        for option in options { #expect(Help.text.contains("  \(option)"), "\(option)") }
        for code in [0, 1, 2, 130, 143] { #expect(Help.text.contains(" \(code) "), "\(code)") }
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://h/a", "h/a", "", "http://", "http:///a", "http:a", "http://h:x/"])
    func otherWordsAreNoURLs(word: String) {
        #expect(problem(word).contains("'\(word)'") && problem(url, word).contains("'\(word)'"))
    }

    @Test(arguments: [
        ("127.0.0.1:8765/film.bin", true), ("localhost:8765/x", true), ("example.com", true), ("h/a?b=c", true),
        ("mailto:me@example.com", false), ("ftp://h/a", false), ("/a", false), ("http://", false), ("http:a", false),
    ])
    func aWordWithoutAScheme(word: String, isAddress: Bool) {
        #expect(problem(word).contains("write http://") == isAddress)
        #expect(problem(word).components(separatedBy: word).count == 2)
    }

    @Test(arguments: ["0", "65", "-1", "4.0", " 4", "four", "0x4", "99999999999999999999"])
    func numbersOutOfRange(value: String) {
        for words in [["--jobs", value], ["--jobs=\(value)"]] {
            let problem = problem(words[0], words.count > 1 ? words[1] : url)
            #expect(["--jobs", "1", "64", "'\(value)'"].allSatisfy { problem.contains($0) }, "\(problem)")
        }
    }

    @Test(arguments: ["http://me:pa/ss@host/x", "https://me:pa?ss@host", "ftp://me:pass@host/x"])
    func aPasswordIsNotShown(word: String) {
        #expect(problem(word).contains("'\(word.prefix { $0 != ":" })://host"), "\(problem(word))")
    }

    @Test func problemsNameTheWord() {
        for word in ["--fast", "-x", "---", "-"] { #expect(problem(word, url).contains("'\(word)'")) }
        #expect(problem("--fast=1", url).contains("'--fast'"))
        #expect(problem("--quiet=yes", url).contains("'--quiet'"))
        #expect(problem(url, "--timeline").contains("'--timeline'"))
        #expect(problem("-o", "-", url).contains("'-o'"))
        #expect(problem("--force", "-c", url).contains("'--force'"))
        for word in ["--force", "-c", "-o=d"] { #expect(problem(word).contains("need a URL")) }
    }
}
