import NetworkIndicator
import NetworkIndicatorTransfers

// Stubs of AsyncHTTPClient 1 and NIO 2
nonisolated struct ByteBuffer: Sendable { var readableBytes: Int { 0 } }
nonisolated struct TimeAmount: Sendable { static func seconds(_ amount: Int64) -> TimeAmount { TimeAmount() } }
nonisolated struct HTTPHeaders: Sendable { func first(name: String) -> String? { nil } }
nonisolated struct HTTPClientRequest: Sendable { init(url: String) {} }
nonisolated struct HTTPClientResponse: Sendable {
    struct Body: AsyncSequence, Sendable {
        struct AsyncIterator: AsyncIteratorProtocol { mutating func next() async throws -> ByteBuffer? { nil } }
        func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
        func collect(upTo maxBytes: Int) async throws -> ByteBuffer { ByteBuffer() }
    }
    var headers: HTTPHeaders
    var body: Body
}
nonisolated final class HTTPClient: Sendable {
    static var shared: HTTPClient { HTTPClient() }
    func execute(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> HTTPClientResponse {
        throw CancellationError()
    }
}

nonisolated struct File: Sendable { func write(_ part: ByteBuffer) async throws {} }
let file = File()
let request = HTTPClientRequest(url: "https://example.com/feed")
