import Foundation
import Testing

@testable import NetworkIndicatorTransfers

struct ResumePointTests {
    private static let whole = ["Accept-Ranges": "bytes", "ETag": "\"v1\""]
    private static let rest = ["Content-Range": "bytes 3-8/9", "ETag": "\"v1\""]

    private func response(_ status: Int, _ headers: [String: String], _ url: String = "http://h/f") throws
        -> HTTPURLResponse
    {
        let url = try #require(URL(string: url))
        return try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers))
    }

    private func point(
        _ headers: [String: String], status: Int = 200, total: Int64? = 9, _ url: String = "http://h/f",
        _ change: (inout URLRequest) -> Void = { _ in }
    ) throws -> ResumePoint? {
        let response = try response(status, headers, url)
        var request = URLRequest(url: try #require(response.url))
        change(&request)
        return ResumePoint(response, to: request, total: total)
    }

    // MARK: Files that can be resumed

    @Test(arguments: [
        ([:], true), (["ETag": "W/\"v1\""], false), (["ETag": "v1"], false), (["ETag": "\""], false),
        (["Accept-Ranges": "none"], false), (["Accept-Ranges": "Bytes"], true), (["Content-Encoding": "gzip"], false),
        (["Content-Encoding": "identity"], true), (["Content-Encoding": "Identity ,identity\t"], true),
        (["Content-Encoding": "identity, gzip"], false), (["Accept-Ranges": "bytes, bytes"], true),
        (["Accept-Ranges": "none,\tbytes \t"], true), (["Accept-Ranges": "bytes,none"], true),
        (["Accept-Ranges": "kilobytes"], false), (["ETag": "\"a, b\" "], true), (["ETag": "W/\"v1\" "], false),
    ])
    func aTag(change: [String: String], isResumable: Bool) throws {
        #expect(try (point(Self.whole.merging(change) { $1 }) != nil) == isResumable)
    }

    @Test func responsesAndRequestsOfOtherKinds() throws {
        let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(try point(["Accept-Ranges": "bytes", "Last-Modified": modified]) == nil)
        #expect(try point(Self.whole, status: 206) == nil)
        #expect(try point(Self.whole, total: nil) == nil)
        #expect(try point(Self.whole) { $0.httpMethod = "POST" } == nil)
        #expect(try point(Self.whole) { $0.setValue("bytes=1-", forHTTPHeaderField: "Range") } == nil)
    }

    // MARK: The request

    @Test func theRequestForTheRest() throws {
        let point = try #require(try point(Self.whole))
        let url = try #require(URL(string: "http://h/f"))
        let request = point.resuming(URLRequest(url: url), after: 3)
        #expect(request?.value(forHTTPHeaderField: "Range") == "bytes=3-")
        #expect(request?.value(forHTTPHeaderField: "If-Range") == "\"v1\"")
        #expect(request?.cachePolicy == .reloadIgnoringLocalCacheData)
        var ranged = URLRequest(url: url)
        ranged.setValue("bytes=1-2", forHTTPHeaderField: "Range")
        #expect(point.resuming(ranged, after: 3) == nil)
    }

    @Test(arguments: [
        ("http://h/get?id=1", true), ("http://me:x@h/get?id=1", true), ("http://h/get?id=2", false),
        ("http://h/get", false), ("http://h/put?id=1", false), ("http://h/get?id=1&x", false),
    ])
    func theRequestOfAnotherCall(url: String, resumes: Bool) throws {
        let point = try #require(
            try point(Self.whole, "http://h/f") { $0.url = URL(string: "http://h/get?id=1") })
        let decoded = try JSONDecoder().decode(ResumePoint.self, from: JSONEncoder().encode(point))
        let request = URLRequest(url: try #require(URL(string: url)))
        #expect((decoded.resuming(request, after: 3) != nil) == resumes)
    }

    // MARK: Responses that continue the file

    @Test(
        arguments: [
            (206, [:], true), (416, [:], false), (206, ["Content-Encoding": "gzip"], false),
            (206, ["ETag": nil], false),
            (206, ["ETag": "\"v2\""], false), (206, ["ETag": "W/\"v1\""], false), (206, ["ETag": "v1"], false),
            (206, ["ETag": ""], false), (206, ["Content-Range": "bytes 2-8/9"], false),
            (206, ["Content-Range": "bytes 4-8/9"], false), (206, ["Content-Range": "bytes 3-7/9"], false),
            (206, ["Content-Range": "bytes 3-8/10"], false), (206, ["Content-Range": "bytes */9"], false),
            (206, ["Content-Range": "bytes 3-8/*"], false), (206, ["Content-Range": "lines 3-8/9"], false),
            (206, ["Content-Range": ""], false), (206, ["Content-Range": "bytes 3-8/9 "], true),
            (206, ["ETag": "\"v1\"\t"], true),
        ] as [(Int, [String: String?], Bool)])
    func aResponse(status: Int, change: [String: String?], continues: Bool) throws {
        let point = try #require(try point(Self.whole))
        let headers = change.reduce(into: Self.rest) { $0[$1.key] = $1.value }
        #expect(try point.isContinued(by: response(status, headers), after: 3) == continues)
    }

    @Test(arguments: [
        ("http://h/f", true), ("http://u:p@h/f?signature=2#x", true), ("http://h/f2", false), ("http://h2/f", false),
        ("https://h/f", false), ("http://h:81/f", false),
    ])
    func anotherURL(url: String, continues: Bool) throws {
        let point = try #require(try point(Self.whole, "http://h/f?signature=1"))
        #expect(try point.isContinued(by: response(206, Self.rest, url), after: 3) == continues)
    }

    @Test func itHoldsNoSecret() throws {
        let point = try #require(try point(Self.whole, "http://me:password@h/f?signature=secret#x"))
        let text = try String(decoding: JSONEncoder().encode(point), as: UTF8.self)
        for secret in ["me:", "password", "signature", "secret", "http"] { #expect(!text.contains(secret)) }
    }
}
