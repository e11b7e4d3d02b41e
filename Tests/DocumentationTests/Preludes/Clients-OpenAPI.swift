import Foundation
import FoundationNetworking
import NetworkIndicator
import NetworkIndicatorURLSession

// swift-openapi-runtime 1, swift-openapi-urlsession 1, swift-http-types
nonisolated struct HTTPRequest: Sendable {}
nonisolated struct HTTPResponse: Sendable {}
nonisolated enum IterationBehavior: Sendable { case single, multiple }
nonisolated final class HTTPBody: AsyncSequence, Sendable {
    typealias ByteChunk = ArraySlice<UInt8>
    enum Length: Sendable { case unknown, known(Int64) }
    struct AsyncIterator: AsyncIteratorProtocol { mutating func next() async throws -> ByteChunk? { nil } }
    let length: Length
    let iterationBehavior: IterationBehavior
    init<Bytes: AsyncSequence>(_ sequence: Bytes, length: Length, iterationBehavior: IterationBehavior)
    where Bytes.Element == ByteChunk, Bytes: Sendable {
        (self.length, self.iterationBehavior) = (length, iterationBehavior)
    }
    init<Bytes: AsyncSequence>(_ sequence: Bytes, length: Length, iterationBehavior: IterationBehavior)
    where Bytes: Sendable, Bytes.Element: Sequence & Sendable, Bytes.Element.Element == UInt8 {
        (self.length, self.iterationBehavior) = (length, iterationBehavior)
    }
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
nonisolated protocol ClientMiddleware: Sendable {
    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String,
        next: @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
    ) async throws -> (HTTPResponse, HTTPBody?)
}
nonisolated struct URLSessionTransport: Sendable {
    struct Configuration: Sendable { init(session: URLSession = .shared) {} }
    init(configuration: Configuration = .init()) {}
}
