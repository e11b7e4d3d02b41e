import Foundation
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The rules of redirects, tested without a network.
struct RedirectRuleTests {
    private func follow(
        _ url: String, _ location: String, status: Int = 302, method: String = "GET"
    ) throws -> URLRequest? {
        let url = try #require(URL(string: url))
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("s3cret", forHTTPHeaderField: "Authorization")
        request.setValue("virtual", forHTTPHeaderField: "Host")
        let response = try #require(
            HTTPURLResponse(
                url: url, statusCode: status, httpVersion: nil,
                headerFields: ["Location": location]))
        return try Redirect.request(following: response, of: request)
    }

    @Test func neverFromHTTPSToHTTP() throws {
        let error = #expect(throws: URLError.self) { try follow("https://h/", "http://h/x") }
        #expect(error?.code == .appTransportSecurityRequiresSecureConnection)
        #expect(try follow("http://h/", "https://h/x")?.url?.absoluteString == "https://h/x")
    }

    /// An origin consists of scheme, host and port. A default port equals a missing one.
    @Test(arguments: [
        ("http://h/", "https://h/", false), ("http://h/", "http://g/", false), ("http://h/", "http://h:81/", false),
        ("http://h/", "http://H:80/", true), ("https://h/", "https://h:443/", true), ("https://h/", "//h.x/", false),
    ])
    func credentials(url: String, location: String, areKept: Bool) throws {
        let request = try follow(url, location)
        #expect((request?.value(forHTTPHeaderField: "Authorization") != nil) == areKept)
        #expect((request?.value(forHTTPHeaderField: "Host") != nil) == areKept)
    }

    /// URLSession on Linux doesn't know schemes in upper case.
    @Test func aSchemeInUpperCase() throws {
        #expect(try follow("http://h/", "HTTP://g/x")?.url?.absoluteString == "http://g/x")
    }

    @Test(arguments: [("/x", "me"), ("http://h/x", "me"), ("http://h:80/x", "me"), ("http://g/x", nil)])
    func aUserOfTheURL(location: String, expected: String?) throws {
        #expect(try follow("http://me:secret@h/", location)?.url?.user == expected)
    }

    @Test func aHeadRequestStaysOne() throws {
        #expect(try follow("http://h/", "/x", status: 303, method: "HEAD")?.httpMethod == "HEAD")
    }

    @Test(arguments: [200, 300, 304, 305, 306, 404]) func otherStatusesAreNoRedirects(status: Int) throws {
        #expect(try follow("http://h/", "/x", status: status) == nil)
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("%2f%2F%zz%", "%2f%2F%25zz%25"), ("\u{FC}", "%C3%BC"),
        ("a\"<>\\^`{|}", "a%22%3C%3E%5C%5E%60%7B%7C%7D"),
        (" /x ", "/x"), ("/a;b,c@d:e!$&'()*+=~._-?q#f", "/a;b,c@d:e!$&'()*+=~._-?q#f"),
    ])
    func invalidCharactersAreEncoded(location: String, expected: String) {
        #expect(Redirect.encoded(location) == expected)
    }

    /// For any location, the rules neither trap nor follow URLs other than http and https.
    @Test func anyLocation() throws {
        var generator = SeededGenerator(seed: 13)
        let letters =
            Array("ah/:%?#@[].2F\u{FC}\u{0} \\\"-_~+&=;,0189").map(String.init) + ["//", "http://", "https:", "%2F"]
        for _ in 0..<20_000 {
            let location = (0..<Int.random(in: 0...12, using: &generator))
                .map { _ in letters.randomElement(using: &generator)! }.joined()
            guard let next = try? follow("http://me:pw@h/a/b", location) else { continue }
            #expect(["http", "https"].contains(next.url?.scheme?.lowercased()))
            if next.url?.host != "h" { #expect(next.value(forHTTPHeaderField: "Authorization") == nil, "\(location)") }
        }
    }
}
