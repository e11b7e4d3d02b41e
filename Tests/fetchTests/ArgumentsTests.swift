import Foundation
import Testing

@testable import fetch

@Suite struct ArgumentsTests {
    private let url = "http://h/a"

    private func arguments(_ words: String...) throws -> Arguments { try arguments(words) }

    private func arguments(_ words: [String]) throws -> Arguments {
        guard case .run(let arguments) = try Command(words) else { throw UsageError(problems: ["not a run"]) }
        return arguments
    }

    private func problems(_ words: String...) -> [String] {
        do {
            _ = try Command(words)
            return []
        } catch {
            return error.problems
        }
    }

    @Test func nothingIsTheDemonstration() throws {
        #expect(try arguments() == Arguments())
        #expect(try arguments("-j", "2", "--quiet").urls.isEmpty)
    }

    @Test func everyOptionInEveryForm() throws {
        var expected = Arguments()
        expected.urls = [URL(string: "http://h/a")!]
        expected.directory = "d"
        expected.jobs = 3
        expected.replacesFiles = true
        expected.timeout = 9
        expected.retries = 5
        expected.waitsForConnectivity = true
        expected.timeline = "t"
        expected.indicator = .never
        expected.isQuiet = true
        let flags = ["--force", "--wait-for-connectivity", "--indicator=never"]
        let numbers = ["--timeout=9", "--retries=5", "--timeline=t"]
        let apart = ["--output", "d", "--jobs", "3", "--timeout", "9", "--retries", "5", "--timeline", "t", "--quiet"]
        #expect(try arguments(flags + apart + [url]) == expected)
        #expect(try arguments(["--output=d", url, "--jobs=3", "--quiet"] + flags + numbers) == expected)
        #expect(try arguments(["-o", "d", "-j", "3", "-q"] + flags + numbers + [url]) == expected)
        #expect(try arguments(["-od", "-qj3"] + numbers + flags + [url]) == expected)
    }

    @Test func detailsOfTheForms() throws {
        #expect(try arguments("-o", "a=b", "--output=c=d", url).directory == "c=d")
        #expect(try arguments("-j1", "-j", "64", url).jobs == 64)
        #expect(try arguments("--timeout", "86400", url).timeout == 86_400)
        #expect(try arguments("--timeout", "1", url).timeout == 1)
        #expect(try arguments("-o", "--force", url).directory == "--force")
        #expect(try arguments("--indicator", "always", url).indicator == .always)
        #expect(try arguments("--indicator", "auto", url).indicator == .auto)
    }

    @Test func helpAndVersion() throws {
        #expect(try Command(["--help"]) == .help)
        #expect(try Command(["-h"]) == .help)
        #expect(try Command(["-qh"]) == .help)
        #expect(try Command(["--version"]) == .version)
        #expect(try Command(["--jobs=0", "nonsense", "--help"]) == .help)
        #expect(problems("--", "--help") == ["'--help' is not an http or https URL"])
        #expect(Help.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let options = [
            "output", "jobs", "force", "timeout", "retries", "wait-for-connectivity", "indicator", "timeline", "quiet",
            "help", "version",
        ]
        for option in options { #expect(Help.text.contains(" --\(option)")) }
    }

    @Test func URLs() throws {
        let urls = try arguments("HTTP://h/a", "https://u:p@h:8080/b?c#d", "--", "http://127.0.0.1/").urls
        #expect(urls.map(\.absoluteString) == ["http://h/a", "https://u:p@h:8080/b?c#d", "http://127.0.0.1/"])
    }

    @Test(arguments: [
        "ftp://h/a", "file:///etc/passwd", "h/a", "", "-", "http://", "http:///a", "http:a", "://h", "http://a b/",
        "data:,x",
    ])
    func otherWordsAreNoURLs(word: String) {
        #expect(problems(word) == ["'\(word)' is not an http or https URL"])
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

    @Test func whatIsWrongIsNamed() {
        #expect(problems("--fast", url) == ["unknown option '--fast'"])
        #expect(problems("--fast=1", url) == ["unknown option '--fast'"])
        #expect(problems("-x", url) == ["unknown option '-x'"])
        #expect(problems("-qx", url) == ["unknown option '-x' in '-qx'"])
        #expect(problems("-é", url) == ["unknown option '-é'"])
        #expect(problems("---", url) == ["unknown option '---'"])
        #expect(problems("--=", url) == ["unknown option '--'"])
        #expect(problems("--quiet=yes", url) == ["'--quiet' takes no value: '--quiet=yes'"])
        #expect(problems(url, "--jobs") == ["'--jobs' needs a value"])
        #expect(problems(url, "-qo") == ["'-o' needs a value"])
        #expect(problems("-o", "", url) == ["'-o' needs a directory, not ''"])
        #expect(problems("--indicator", "on", url) == ["'--indicator' is one of auto, always and never, not 'on'"])
        #expect(problems("-o", "d") == ["'--output' needs a URL"])
        #expect(problems("--force") == ["'--force' needs a URL"])
    }

    @Test func theTimelineIsNoDownload() throws {
        let problem = "'--timeline' needs a file of its own, not"
        #expect(problems("--timeline=./a", url) == ["\(problem) './a', which a download is written to"])
        #expect(problems("--timeline=d/a-2", "-od/", url, url).count == 1)
        #expect(try arguments("--timeline=a", "-od", url).timeline == "a")
    }

    @Test func everythingThatIsWrongIsToldAtOnce() {
        #expect(
            problems("-j0", "--fast", "ftp://h", url, "--timeout=0") == [
                "'-j' needs a whole number from 1 to 64, not '0'", "unknown option '--fast'",
                "'ftp://h' is not an http or https URL", "'--timeout' needs a whole number from 1 to 86400, not '0'",
            ])
    }
}
