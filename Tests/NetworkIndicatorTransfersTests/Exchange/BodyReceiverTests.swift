import Foundation
import LoopbackServer
import Testing

@testable import NetworkIndicatorTransfers

struct BodyReceiverTests {
    private let url = URL(string: "http://h/")!

    private func response(_ headers: [String: String], _ status: Int = 200) throws -> HTTPURLResponse {
        try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers))
    }

    /// URLSession on Linux parses `0x10` as 0, and accepts a list of different lengths.
    @Test(arguments: [
        ("10", 10), ("5, 5", 5), ("007", 7), ("0x10", nil), ("5, 10", nil), ("+5", nil), ("-5", nil), ("5 5", nil),
        ("", nil), ("99999999999999999999", nil),
    ])
    func aLengthIsOneDecimalNumber(field: String, length: Int64?) async throws {
        let request = URLRequest(url: url)
        let response = try response(["Content-Length": field])
        if let length {
            #expect(try response.bodyLength(for: request) == length)
        } else {
            let error = await failure { try response.bodyLength(for: request) as Any } as? URLError
            #expect(error?.code == .cannotParseResponse)
            #expect(error?.localizedDescription.contains("“\(field)”") == true)
        }
        for header in [["Content-Encoding": "gzip"], ["Transfer-Encoding": "chunked"]] where length != nil {
            let other = try self.response(header.merging(["Content-Length": field]) { $1 })
            #expect(try other.bodyLength(for: request) == nil)
        }
    }

    @Test(arguments: [
        ("identity", 10), ("", 10), ("gzip", 10), ("chunked, identity", 10), ("gzip, Chunked ", nil), ("chunked", nil),
    ])
    func onlyChunksReplaceALength(coding: String, length: Int64?) throws {
        let response = try response(["Content-Length": "10", "Transfer-Encoding": coding])
        #expect(try response.bodyLength(for: URLRequest(url: url)) == length)
    }

    @Test(arguments: [(204, "GET"), (304, "GET"), (200, "HEAD")])
    func aResponseWithoutABodyHasNoLength(status: Int, method: String) throws {
        #expect(try response(["Content-Length": "10"], status).bodyLength(for: URLRequest(method, url)) == nil)
    }

    @Test(arguments: [["Content-Length": "8"], [:]]) func aBodyThatIsTooLong(headers: [String: String]) async throws {
        let receiver = DataReceiver(limit: 7)
        let error =
            await failure {
                _ = try receiver.begin(response(headers), to: URLRequest(url: url))
                #expect(headers.isEmpty && (try? receiver.write(Data(count: 7))) != nil)
                return try receiver.write(Data(count: 1))
            } as? URLError
        #expect(error?.code == .dataLengthExceedsMaximum && error?.reason == "the response has more than 7 bytes")
    }

    @Test func aBodyWithoutAnEnd() async throws {
        let server = try LoopbackServer()
        server.on("/", .generated(size: 1 << 40).chunked())
        var policy = TrackedRetryPolicy.standard
        policy.maximumDataBytes = 1_000_000
        let error = await failure { try await Bench().data(server.url("/"), policy) } as? NetworkRequestError
        #expect(error?.description == "the response has more than 1000000 bytes" && error?.attemptCount == 1)
    }
}
