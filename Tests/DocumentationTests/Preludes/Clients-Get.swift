import Foundation
import FoundationNetworking
import NetworkIndicator
import NetworkIndicatorURLSession

// The declarations of Get 2 that the samples use.
struct User: Decodable, Sendable { let name: String }
struct Request<Response>: Sendable { init(path: String) {} }
struct Response<T: Sendable>: Sendable { let value: T }
actor APIClient {
    struct Configuration { var sessionDelegate: (any URLSessionDelegate)? }
    init(baseURL: URL?, _ configure: @Sendable (inout Configuration) -> Void = { _ in }) {}
    func send<T: Decodable & Sendable>(_ request: Request<T>) async throws -> Response<T> { throw CancellationError() }
}
// Only Apple's URLSession calls this method. Apple's protocol declares it.
extension URLSessionTaskDelegate { func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {} }
