import Foundation
import Testing

@testable import fetch

@Suite struct FileNameTests {
    @Test func namesOfARunAreUnique() throws {
        func names(_ paths: String...) throws -> [String] {
            FileName.names(for: try paths.map { try #require(URL(string: "http://h/\($0)")) })
        }
        #expect(try names("a.txt", "b/a.txt", "c/a.txt") == ["a.txt", "a-2.txt", "a-3.txt"])
        #expect(try names("a", "a", "a-2", "a") == ["a", "a-2", "a-2-2", "a-3"])
        #expect(try names("a.txt", "A.TXT") == ["a.txt", "A-2.TXT"])
    }

    @Test(arguments: [
        ("a\u{1B}[2Jb\n", "a\\u{1B}[2Jb\\n"), ("txt\u{202E}exe", "txt\\u{202E}exe"), ("é 😀", "é 😀"),
        ("proxy http://me:secret@h:3128/ failed", "proxy http://h:3128/ failed"),
        ("http://me:sec\u{1B}ret@h/", "http://h/"), ("http://h/ me@h", "http://h/ me@h"),
    ])
    func printable(text: String, expected: String) {
        #expect(text.printable == expected)
    }
}
