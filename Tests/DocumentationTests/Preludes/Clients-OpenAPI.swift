import Foundation
import NetworkIndicator

// The declarations of swift-openapi-runtime 1 and swift-http-types that the sample uses.
struct HTTPRequest: Sendable {}
struct HTTPResponse: Sendable {}
final class HTTPBody: Sendable {}
protocol ClientMiddleware: Sendable {
    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String,
        next: @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
    ) async throws -> (HTTPResponse, HTTPBody?)
}
