import Foundation
import LoopbackServer
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct BodyReceiverTests {
    private let url = URL(string: "http://h/")!

    private func response(_ headers: [String: String]) throws -> HTTPURLResponse {
        try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: headers))
    }

    @Test func aBodyThatEndsEarly() throws {
        let receiver = DataReceiver()
        _ = try receiver.begin(response(["Content-Length": "10"]), to: URLRequest(url: url))
        receiver.write(Data(count: 5))
        #expect(!receiver.isComplete)
        receiver.write(Data(count: 5))
        #expect(receiver.isComplete)
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

    @Test func anAnnouncedLengthIsNotReserved() throws {
        let receiver = DataReceiver()
        #expect(try receiver.begin(response(["Content-Length": "\(1 << 62)"]), to: URLRequest(url: url)) == .accepted)
    }

    @Test func aChunkedBodyWithAnotherLength() async throws {
        let server = try LoopbackServer()
        var chunked = Response.text("chunks").chunked()
        chunked.headers["Content-Length"] = "3"
        server.on("/", chunked)
        #expect(try await Bench().data(server.url("/"), .singleAttempt).data == Data("chunks".utf8))
    }
}
