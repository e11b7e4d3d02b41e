import Foundation
import Testing

@testable import fetch

@Suite struct FileNameTests {
    private func name(_ url: String) throws -> String { FileName.name(for: try #require(URL(string: url))) }

    @Test(arguments: [
        ("http://h/a.txt", "a.txt"),
        ("http://h/d/e/a.txt?b=/c.txt#/d.txt", "a.txt"),
        ("http://h", "index.html"),
        ("http://h/", "index.html"),
        ("http://h/d/", "index.html"),
        ("http://h?a=b", "index.html"),
        ("http://h/a%20b.txt", "a b.txt"),
        ("http://h/%C3%A9.txt", "é.txt"),
        ("http://h/%FF.txt", "%FF.txt"),
        ("http://h/100%25", "100%"),
        ("http://h/..", "download"),
        ("http://h/%2E%2E", "download"),
        ("http://h/%2E%2E%2Fetc%2Fpasswd", "_etc_passwd"),
        ("http://h/..%2F..%2Fx", "_.._x"),
        ("http://h/a%5Cb", "a_b"),
        ("http://h/.bashrc", "bashrc"),
        ("http://h/-rf", "_rf"),
        ("http://h/.-rf", "_rf"),
        ("http://h/a%00b", "a_b"),
        ("http://h/a%0Ab%1B%5B2J%7F%C2%9B", "a_b_[2J__"),
        ("http://h/a%E2%80%AEtxt.exe", "a_txt.exe"),
        ("http://h/%E2%80%A8", "_"),
        ("http://h/%20%20", "download"),
        ("http://h/%20a%20", "a"),
    ])
    func names(url: String, expected: String) throws {
        #expect(try name(url) == expected)
    }

    @Test func namesAreCutToTheLimitOfFileSystems() throws {
        let a = String(repeating: "a", count: 300)
        #expect(FileName.safe(a).utf8.count == 255)
        #expect(FileName.safe(a + ".txt") == a.prefix(251) + ".txt")
        #expect(FileName.safe("x." + a).utf8.count == 255)
        // Each character has four bytes, so 63 fit.
        #expect(FileName.safe(String(repeating: "😀", count: 100)) == String(repeating: "😀", count: 63))
        // One character of 25 bytes.
        let families = String(repeating: "👨‍👩‍👧‍👦", count: 20)
        #expect(FileName.safe(families) == String(repeating: "👨‍👩‍👧‍👦", count: 10))
        // One character of 401 bytes.
        #expect(FileName.safe("e" + String(repeating: "\u{301}", count: 200)) == "download")
    }

    @Test func namesOfARunAreUnique() throws {
        func names(_ paths: String...) throws -> [String] {
            FileName.names(for: try paths.map { try #require(URL(string: "http://h/\($0)")) })
        }
        #expect(try names("a.txt", "b/a.txt", "c/a.txt") == ["a.txt", "a-2.txt", "a-3.txt"])
        #expect(try names("a", "a", "a-2", "a") == ["a", "a-2", "a-2-2", "a-3"])
        #expect(try names("", "x/") == ["index.html", "index-2.html"])
        #expect(try names("%C3%A9", "e%CC%81").map(\.unicodeScalars.count) == [1, 4])
        let long = String(repeating: "a", count: 251) + ".txt"
        let second = try names(long, long)[1]
        #expect(second.utf8.count == 255 && second.hasSuffix("a-2.txt"))
    }

    /// On a case-sensitive file system, two names may differ in case only.
    @Test(arguments: [true, false]) func noTwoDifferInCaseOnly(ignoresCase: Bool) throws {
        let urls = try ["a.txt", "A.TXT", "A-2.txt", "a.txt"].map { try #require(URL(string: "http://h/\($0)")) }
        let expected =
            ignoresCase
            ? ["a.txt", "A-2.TXT", "A-2-2.txt", "a-3.txt"] : ["a.txt", "A.TXT", "A-2.txt", "a-2.txt"]
        #expect(FileName.names(for: urls, ignoringCase: ignoresCase) == expected)
    }
}
