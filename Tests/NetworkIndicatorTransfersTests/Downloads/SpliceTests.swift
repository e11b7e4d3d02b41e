import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Servers that respond to a request for the rest of a file with other data. A download must never combine two files.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SpliceTests {
    let bench = Bench()
    private static let size = 300_000
    private static let cut = 100_000

    /// The server's file at the second request. Seed 2 generates the first part.
    private let file = Response.generated(size: size, seed: 1)
    private let whole = Body.generated(size: size, seed: 1).bytes(in: 0..<size)
    private let earlier = Response.generated(size: size, seed: 2).ranged(entityTag: "\"v1\"")

    /// Returns the rest of the file, from a server that honours only `Range`.
    private func rest(_ entityTag: String?, _ contentRange: String = "bytes 100000-299999/300000") -> Response {
        var response = Response(status: 206, body: .bytes(Array(whole[Self.cut...])))
        response.headers["ETag"] = entityTag
        response.headers["Content-Range"] = contentRange
        return response
    }

    private func download(_ url: URL) async throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let (file, _) = try await bench.session.trackedDownload(
            from: url, to: folder.url("x"), policy: .standard.unhurried, manager: bench.manager, onEvent: bench.onEvent)
        return Array(try Data(contentsOf: file))
    }

    @Test(arguments: [nil, "\"v2\"", "W/\"v1\"", "v1", ""]) func aPartWithAnotherTag(entityTag: String?) async throws {
        let server = try LoopbackServer()
        server.on("/", earlier.cut(.close, after: Self.cut), rest(entityTag), file)
        #expect(try await download(server.url("/")) == whole)
        #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=100000-", nil])
        // Starting over isn't another retry, so there is no pause.
        #expect(bench.events.entries == [.started(1), .willRetry(2, brokenBody.rawValue), .started(2), .finished])
    }

    @Test(arguments: [
        "bytes 99999-299999/300000", "bytes 100000-199999/300000", "bytes 100000-299999/300001", "bytes */300000",
        "bytes 100000-299999/*", "lines 100000-299999/300000", "nonsense", "",
    ])
    func aPartWithAnotherRange(contentRange: String) async throws {
        let server = try LoopbackServer()
        server.on("/", earlier.cut(.close, after: Self.cut), rest("\"v1\"", contentRange), file)
        #expect(try await download(server.url("/")) == whole)
    }

    /// Two hosts may use equal tags for different files.
    @Test func aRedirectToAnotherURLWithAnEqualTag() async throws {
        let server = try LoopbackServer()
        let other = try LoopbackServer()
        server.on("/", .redirect(to: "/first"), .redirect(to: other.url("/x").absoluteString))
        server.on("/first", earlier.cut(.close, after: Self.cut))
        other.on("/x", file.ranged(entityTag: "\"v1\""))
        #expect(try await download(server.url("/")) == whole)
        #expect(other.requests.map { $0.headers["Range"] } == ["bytes=100000-", nil])
    }

    @Test func aRedirectToTheSameURLContinues() async throws {
        let server = try LoopbackServer()
        let ranged = file.ranged(entityTag: "\"v1\"")
        server.on("/", .redirect(to: "/x?t=1"))
        server.on("/x", ranged.cut(.close, after: Self.cut), ranged)
        #expect(try await download(server.url("/")) == whole)
        #expect(server.requests("/x").map { $0.headers["Range"] } == [nil, "bytes=100000-"])
    }

    /// This server ignores `If-Range`, so the tag of the 206 must be compared.
    @Test func aServerThatIgnoresIfRange() async throws {
        let server = try LoopbackServer()
        let whole = whole
        server.on("/") { [earlier, file] request in
            guard request.hit > 1 else { return earlier.cut(.close, after: Self.cut) }
            guard request.headers["Range"] != nil else { return file.ranged(entityTag: "\"v2\"") }
            return Response(
                status: 206,
                headers: ["ETag": "\"v2\"", "Content-Range": "bytes 100000-299999/300000"],
                body: .bytes(Array(whole[Self.cut...])))
        }
        #expect(try await download(server.url("/")) == whole)
    }

    /// A server that ignores `Range` sends the whole file.
    @Test func aServerThatSendsTheWholeFile() async throws {
        let server = try LoopbackServer()
        server.on("/", earlier.cut(.close, after: Self.cut), file)
        #expect(try await download(server.url("/")) == whole)
        #expect(server.hits("/") == 2)
    }

    @Test func aCompressedPart() async throws {
        let server = try LoopbackServer()
        var rest = rest("\"v1\"")
        rest.headers["Content-Encoding"] = "gzip"
        server.on("/", earlier.cut(.close, after: Self.cut), rest, file)
        #expect(try await download(server.url("/")) == whole)
        #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=100000-", nil])
    }
}
