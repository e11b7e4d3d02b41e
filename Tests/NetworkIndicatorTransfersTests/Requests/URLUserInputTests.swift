import Foundation
import Testing

@testable import NetworkIndicatorTransfers

struct URLUserInputTests {
    @Test(arguments: [
        ("/a%20b|c.txt", "/a%20b%7Cc.txt"), ("/?sig=a%2Fb&f=é", "/?sig=a%2Fb&f=%C3%A9"),
        ("/caf%C3%A9 (1).txt", "/caf%C3%A9%20(1).txt"), ("/%2f%2F%zz%", "/%2f%2F%25zz%25"),
        ("/%5B1%5D[2]", "/%5B1%5D%5B2%5D"), ("?[a]=%2F#b#c%20[d]", "?%5Ba%5D=%2F#b%23c%20%5Bd%5D"),
        ("/\"<>\\^`{|}\n", "/%22%3C%3E%5C%5E%60%7B%7C%7D"), ("/a\nb", "/a%0Ab"),
        ("/;b,c@d:e!$&'()*+=~._-?q#f", "/;b,c@d:e!$&'()*+=~._-?q#f"), ("/a#\u{301}b", "/a#%CC%81b"), ("", ""),
    ])
    func invalidCharactersAreEncodedOnce(text: String, expected: String) {
        #expect(URL(fromUserInput: " \t" + text) == (text.isEmpty ? nil : URL(string: expected)))
        for origin in ["http://h", "HTTP://me:p%20w@h:80", "http://[::1]"] {
            #expect(URL(fromUserInput: " \(origin)\(text)\n")?.absoluteString == origin + expected)
        }
    }

    @Test(arguments: [
        ("http://b\u{FC}cher.de/%20|", "http://xn--bcher-kva.de/%20%7C"),
        ("http://m\u{FC}%20@x:p|@h/", "http://m%C3%BC%20%40x:p%7C@h/"),
        ("http://h /x", nil), ("http://h|/x", nil), ("1:2", nil), ("h/a b", "h/a%20b"),
    ])
    func aHostIsNoPath(text: String, expected: String?) {
        #expect(URL(fromUserInput: text)?.absoluteString == expected)
    }
}
