import Foundation
import Testing

@testable import fetch

@Suite struct ArgumentsTests {
    private let url = "http://h/%20|"

    private func problem(_ words: String...) -> String {
        #expect(throws: UsageError.self) { try Arguments(words) }?.problem ?? ""
    }

    @Test func everyOptionInEveryForm() throws {
        let expected = Arguments(
            urls: [URL(string: "http://h/%20%7C")!], output: "d", replacesFiles: true, jobs: 3, retries: 5,
            timeline: "t", isQuiet: true)
        let apart = ["--output", "d", "--jobs", "3", "--retries", "5", "--timeline", "t", "--quiet"]
        let joined = ["--output=d", "--jobs=3", "--retries=5", "--timeline=t", "-q"]
        #expect(try Arguments(["--force"] + apart + [url]) == expected)
        #expect(try Arguments([url] + joined + ["--force"]) == expected)
        #expect(try Arguments(["-o", "d", "-j", "3"] + joined.dropFirst(2) + ["--force", url]) == expected)
        for word in ["-c", "--continue"] { #expect(try Arguments([word, url]).continuesFiles) }
        for word in ["-h", "--help"] { #expect(try Arguments([word]).wantsHelp) }
        #expect(try Arguments(["-o", "a=b", url]).output == "a=b" && Arguments(["--output=a=b", url]).output == "a=b")
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://h/a", "h/a", "", "http://", "http:///a", "http:a", "http://h:x/"])
    func otherWordsAreNoURLs(word: String) {
        #expect(problem(word).contains("'\(word)'") && problem(url, word).contains("'\(word)'"))
    }

    @Test func problemsNameTheWord() {
        for word in ["http://me:pa/ss@host/x", "ftp://me:pa@host/x"] { #expect(problem(word).contains("://host/x'")) }
        for word in ["--fast", "-x", "---", "-"] { #expect(problem(word, url).contains("'\(word)'")) }
        #expect(problem("--fast=1", url).contains("'--fast'") && problem("--quiet=yes", url).contains("'yes'"))
        #expect(problem(url, "--timeline").contains("'--timeline'"))
        for value in ["", "-"] { #expect(problem("--output=\(value)", url, url).contains("'--output'")) }
        for value in ["0", "65", "-1", "4.0", " 4", "0x4", "99999999999999999999"] {
            #expect(problem("-j", value, url).contains("from 1 to 64, not '\(value)'"))
        }
        #expect(problem("--force", "-c", url).contains("'--force'"))
        for word in ["--force", "-c", "--output=d"] { #expect(problem(word).contains("need a URL")) }
    }
}
