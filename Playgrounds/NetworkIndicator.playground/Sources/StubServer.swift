import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Responds to requests after 300 ms, so that the pages need no network. The first request for the path `/unreliable`
/// loses its connection.
public final class StubServer: URLProtocol {
    // The pages send one request after another.
    nonisolated(unsafe) private static var hasFailed = false

    /// A session whose requests this class answers.
    public static var session: URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Self.self]
        return URLSession(configuration: configuration)
    }

    public override class func canInit(with request: URLRequest) -> Bool { true }
    public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    public override func stopLoading() {}

    public override func startLoading() {
        Thread.sleep(forTimeInterval: 0.3)
        let (url, body) = (request.url!, Data("Hello".utf8))
        if url.path == "/unreliable", !Self.hasFailed {
            Self.hasFailed = true
            client?.urlProtocol(self, didFailWithError: URLError(.networkConnectionLost))
            return
        }
        let response = HTTPURLResponse(
            url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Length": "\(body.count)"])!
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: body)
        client?.urlProtocolDidFinishLoading(self)
    }
}
