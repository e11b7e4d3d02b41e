import Foundation
import Testing

@testable import fetch

@Suite struct FileNameTests {
    @Test(arguments: [
        ("http://h/d/e/a.txt?b=/c.txt#/d.txt", "a.txt"),
        ("http://h", "index.html"), ("http://h/d/", "index.html"), ("http://h?a=b", "index.html"),
        ("http://h/a%20b.txt", "a b.txt"), ("http://h/%C3%A9.txt", "é.txt"), ("http://h/%FF.txt", "%FF.txt"),
        ("http://h/..", "index.html"), ("http://h/%2E%2E%2Fetc%2Fpasswd", "_etc_passwd"), ("http://h/a%5Cb", "a_b"),
        ("http://h/.bashrc", "bashrc"), ("http://h/.%CC%81x", "\u{301}x"), ("http://h/.-rf", "_-rf"),
        ("http://h/a%00b%0A%1B%5B2J%C2%9B", "a_b__[2J_"), ("http://h/a%E2%80%AEtxt.exe", "a_txt.exe"),
        ("http://h/%E2%80%A8", "_"), ("http://h/%20%20", "index.html"),
    ])
    func names(url: String, expected: String) throws {
        #expect(FileName.name(for: try #require(URL(string: url))) == expected)
    }

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
