import Foundation
import NetworkIndicator

// Of swift-openapi-runtime 1 and swift-http-types: the declarations that the sample uses.
struct HTTPRequest: Sendable {}
struct HTTPResponse: Sendable {}
final class HTTPBody: Sendable {}
protocol ClientMiddleware: Sendable {
    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String,
        next: @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
    ) async throws -> (HTTPResponse, HTTPBody?)
}
