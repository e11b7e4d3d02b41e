import Foundation
import NetworkIndicatorTerminal
import Testing

@testable import fetch

@Suite struct ArgumentsTests {
    private let url = "http://h/a"

    private func arguments(_ words: String...) throws -> Arguments { try arguments(words) }

    private func arguments(_ words: [String]) throws -> Arguments { try Arguments(words) }

    private func problems(_ words: String...) -> [String] {
        do {
            _ = try Arguments(words)
            return []
        } catch {
            return error.problems
        }
    }

    @Test func noWordsRunTheDemonstration() throws {
        #expect(try arguments() == Arguments())
        #expect(try arguments("-j", "2", "--quiet").urls.isEmpty)
    }

    @Test func everyOptionInEveryForm() throws {
        var expected = Arguments()
        expected.urls = [URL(string: "http://h/a")!]
        expected.output = "d"
        expected.jobs = 3
        expected.replacesFiles = true
        expected.continuesFiles = true
        expected.maximumSize = 2_000_000
        expected.headers = [.init(name: "X-A", value: "1"), .init(name: "Cookie", value: "b=2; c")]
        expected.userAgent = "me"
        expected.progressRows = 4
        expected.timeout = 9
        expected.maximumTime = 70
        expected.minimumSpeed = 1_000
        expected.speedTime = 8
        expected.retries = 5
        expected.waitsForConnectivity = true
        expected.timeline = "t"
        expected.indicator = .never
        expected.isQuiet = true
        let flags = [
            "--max-time=70", "--speed-limit=1k", "--speed-time=8", "--force", "--wait-for-connectivity",
            "--indicator=never",
        ]
        let numbers = ["--timeout=9", "--retries=5", "--timeline=t", "--max-size=2M", "--progress-rows=4"]
        let apart = [
            "--output", "d", "--jobs", "3", "--timeout", "9", "--retries", "5", "--timeline", "t", "--quiet",
            "--max-size", "2MB", "--progress-rows", "4", "--header", "X-A: 1", "--header", "Cookie:b=2; c",
            "--user-agent", "me", "--continue",
        ]
        let joined = [
            "--output=d", "--jobs=3", "--quiet", "--header=X-A:1", "--header=Cookie:  b=2; c ", "--user-agent=me",
            "--continue",
        ]
        let letters = ["-o", "d", "-j", "3", "-q", "-c", "-H", "X-A: 1", "-H", "Cookie: b=2; c", "-A", "me"]
        #expect(try arguments(flags + apart + [url]) == expected)
        #expect(try arguments(joined + [url] + flags + numbers) == expected)
        #expect(try arguments(letters + flags + numbers + [url]) == expected)
        #expect(
            try arguments(["-od", "-qcj3", "-HX-A: 1", "-HCookie: b=2; c", "-Ame"] + numbers + flags + [url])
                == expected)
    }

    @Test func detailsOfTheForms() throws {
        #expect(try arguments("-o", "a=b", "--output=c=d", url).output == "c=d")
        #expect(try arguments("-j1", "-j", "64", url).jobs == 64)
        #expect(try arguments("--timeout", "86400", url).timeout == 86_400)
        #expect(try arguments("--timeout", "1", url).timeout == 1)
        #expect(try arguments("-o", "--force", url).output == "--force")
        #expect(try arguments("--indicator", "always", url).indicator == .always)
        #expect(try arguments("--indicator", "auto", url).indicator == .auto)
    }

    @Test func helpAndVersion() throws {
        #expect(try arguments("--help").text == Help.text)
        #expect(try arguments("-h").text == Help.text)
        #expect(try arguments("-qh").text == Help.text)
        #expect(try arguments("--version").text == Help.version)
        #expect(try arguments("--jobs=0", "nonsense", "--help").text == Help.text)
        #expect(problems("-q-help") == ["unknown option '--' in '-q-help'"])
        #expect(problems("--", "--help") == ["'--help' is not an http or https URL"])
    }

    @Test func helpNamesEveryOption() {
        #expect(Help.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        for option in Option.all {
            let letter = option.letter.map { "-\($0), " } ?? "    "
            #expect(Help.text.contains("\n  \(letter)--\(option.name)"), "\(option.name)")
        }
    }

    @Test func URLs() throws {
        let urls = try arguments("HTTP://h/a", "https://u:p@h:8080/b?c#d", "--", "http://127.0.0.1/").urls
        #expect(urls.map(\.absoluteString) == ["http://h/a", "https://u:p@h:8080/b?c#d", "http://127.0.0.1/"])
    }

    @Test(arguments: [
        "file:///etc/passwd", "h/a", "", "-", "http://", "http:///a", "http:a", "://h", "http://a b/", "data:,x",
        "http://h:x/",
    ])
    func otherWordsAreNoURLs(word: String) {
        #expect(problems(word) == ["'\(word)' is not an http or https URL"])
    }

    @Test func theReasonIsNamed() {
        #expect(problems("ftp://h/a") == ["'ftp://h/a' is not an http or https URL: fetch cannot load 'ftp:'"])
        #expect(problems("WS://h") == ["'WS://h' is not an http or https URL: fetch cannot load 'ws:'"])
        for port in ["0", "65536", "99999999999999999999"] {
            #expect(problems("http://h:\(port)/") == ["'http://h:\(port)/' has a port that is not from 1 to 65535"])
        }
        #expect(problems("http://h:65535/", "http://h:/") == [])
    }

    @Test func passwordsAreNotRepeated() {
        for word in [
            "ftp://me:secret@h/a", "http://me:secret@h:65536/", "me:secret@h", "http://me:sec/secret@h/",
            "http:/me:secret@h", "http://me:sec secret@h:x/", "-qxhttp://me:secret@h", "--jobs=me:secret@h",
            "--x=http://me:secret@h",
        ] {
            let problem = problems(word).joined()
            #expect(!problem.isEmpty && !problem.contains("secret"), "\(word): \(problem)")
        }
        for field in ["Authorization secret", "Authorization: secret\u{1B}", ": secret", "Range: secret"] {
            let problem = problems("--header", field, url).joined()
            #expect(!problem.isEmpty && !problem.contains("secret"), "\(problem)")
        }
    }

    @Test func headers() {
        func problem(_ field: String) -> String { problems("-H", field, url).joined() }
        #expect(problem("X") == "'-H' needs 'Name: value'")
        #expect(problem("X y: z") == "'-H' needs 'Name: value'")
        #expect(problem("é: z") == "'-H' needs 'Name: value'")
        #expect(problem("X:") == "'-H' needs a value without control characters after 'X:'")
        #expect(problem("X: a\r\nY: b") == "'-H' needs a value without control characters after 'X:'")
        #expect(problem("Range: bytes=0-") == "'-H' cannot set 'Range', which is reserved")
        #expect(problem("X: a: é") == "")
        #expect(problems("-A", "", url).count == 1 && problems("-A", "a\nb", url).count == 1)
    }

    @Test(arguments: [
        ("1", 1), ("500000", 500_000), ("500k", 500_000), ("500kB", 500_000), ("2M", 2_000_000), ("3g", 3_000_000_000),
        ("4GiB", 4 << 30), ("1Ki", 1024), ("1T", 1_000_000_000_000), ("7b", 7),
    ])
    func sizes(text: String, bytes: Int) throws {
        #expect(try arguments("--max-size", text, url).maximumSize == bytes)
    }

    @Test(arguments: ["", "0", "-1", "1.5G", "k", "1 k", "1x", "1kk", "5\u{301}", "9999999T", "٤"])
    func invalidSizes(text: String) {
        #expect(
            problems("--max-size", text, url)
                == ["'--max-size' needs a number of bytes such as 500000, 500k, 20M or 4G, not '\(text)'"])
    }

    @Test func standardOutput() throws {
        #expect(try arguments("-o", "-", url).isStreamed)
        #expect(problems("-o-", url, url) == ["'--output -' needs exactly one URL, not 2"])
        #expect(problems("-o-", "-c", url) == ["'--continue' needs a file, and '--output -' writes none"])
    }

    @Test(arguments: ["0", "65", "-1", "+4", "4.0", " 4", "4 ", "", "four", "٤", "0x4", "99999999999999999999"])
    func jobsOutOfRange(value: String) {
        #expect(problems("--jobs", value, url) == ["'--jobs' needs a whole number from 1 to 64, not '\(value)'"])
        #expect(problems("--jobs=\(value)", url) == ["'--jobs' needs a whole number from 1 to 64, not '\(value)'"])
    }

    @Test(arguments: ["0", "86401", "0.5", "1e3", ""])
    func timeoutsOutOfRange(value: String) {
        #expect(
            problems("--timeout", value, url) == ["'--timeout' needs a whole number from 1 to 86400, not '\(value)'"])
    }

    @Test func problemsNameTheOption() {
        #expect(problems("--fast", url) == ["unknown option '--fast'"])
        #expect(problems("--fast=1", url) == ["unknown option '--fast'"])
        #expect(problems("-x", url) == ["unknown option '-x'"])
        #expect(problems("-qx", url) == ["unknown option '-x' in '-qx'"])
        #expect(problems("-é", url) == ["unknown option '-é'"])
        #expect(problems("---", url) == ["unknown option '---'"])
        #expect(problems("--=", url) == ["unknown option '--'"])
        #expect(problems("--quiet=yes", url) == ["'--quiet' takes no value"])
        #expect(problems(url, "--jobs") == ["'--jobs' needs a value"])
        #expect(problems(url, "-qo") == ["'-o' needs a value"])
        #expect(problems("-o", "", url) == ["'-o' needs a directory or a file, or '-' for standard output, not ''"])
        #expect(problems("--indicator", "on", url) == ["'--indicator' needs auto, always or never, not 'on'"])
        #expect(problems("-o", "d") == ["'--output' needs a URL"])
        #expect(problems("--force") == ["'--force' needs a URL"])
        #expect(problems("--continue") == ["'--continue' needs a URL"])
    }

    @Test func theTimelineNeedsAFileOfItsOwn() throws {
        let problem = "'--timeline' needs a file of its own, not"
        #expect(problems("--timeline=./a", url) == ["\(problem) './a', which a download is written to"])
        #expect(problems("--timeline=d/a-2", "-od/", url, url).count == 1)
        #expect(try arguments("--timeline=a", "-od", url).timeline == "a")
    }

    @Test func everyProblemIsReported() {
        #expect(
            problems("-j0", "--fast", "ftp://h", url, "--timeout=0") == [
                "'-j' needs a whole number from 1 to 64, not '0'", "unknown option '--fast'",
                "'ftp://h' is not an http or https URL: fetch cannot load 'ftp:'",
                "'--timeout' needs a whole number from 1 to 86400, not '0'",
            ])
    }
}
