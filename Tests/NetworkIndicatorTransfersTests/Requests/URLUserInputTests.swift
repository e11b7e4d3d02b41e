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
        #expect(URL(fromUserInput: " \t" + text) == nil)
        for origin in ["http://h", "HTTP://me:p%20w@h:80", "http://[::1]"] {
            #expect(URL(fromUserInput: " \(origin)\(text)\n")?.absoluteString == origin + expected)
        }
    }

    @Test(arguments: [
        ("http://b\u{FC}cher.de/%20|", "http://xn--bcher-kva.de/%20%7C"),
        ("http://m\u{FC}%20@x:p|@h/", "http://m%C3%BC%20%40x:p%7C@h/"),
        ("http://h /x", nil), ("http://h|/x", nil), ("http:///x", nil), ("https://h:0/", nil), ("h:65536", nil),
        ("not a url at all", nil), ("/etc/passwd", nil), ("./x", nil), ("~/x", nil), ("C:\\x", nil), ("//h/x", nil),
        ("me@h.example", nil), ("mailto:me@h.example", nil), ("http:h", nil), ("ftp://h/", nil), ("file:///x", nil),
        ("data:,x", nil), ("[::1", nil),
        ("h", nil), ("h/a", nil), ("4", nil), ("h.example/a b", "https://h.example/a%20b"),
        ("h.example", "https://h.example"), ("h:80?q#f", "https://h:80?q#f"),
        ("b\u{FC}cher.de:8080/x", "https://xn--bcher-kva.de:8080/x"), ("127.example.com", "https://127.example.com"),
        ("localhost:80/x", "http://localhost:80/x"), ("a.localhost", "http://a.localhost"),
        ("127.0.0.1:80/x", "http://127.0.0.1:80/x"), ("192.0.2.1", "http://192.0.2.1"),
        ("[2001:db8::1]:80/x", "http://[2001:db8::1]:80/x"),
    ])
    func aHostIsNeeded(text: String, expected: String?) {
        #expect(URL(fromUserInput: text)?.absoluteString == expected)
    }
}
