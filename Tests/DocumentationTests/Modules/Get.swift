import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Get 2.2
struct User: Decodable, Sendable { let name: String }
struct Request<Response>: @unchecked Sendable { init(path: String) {} }
struct Response<T: Sendable>: Sendable { let value: T }
actor APIClient {
    struct Configuration: @unchecked Sendable { var sessionDelegate: (any URLSessionDelegate)? }
    init(baseURL: URL?, _ configure: @Sendable (inout Configuration) -> Void = { _ in }) {}
    func send<T: Decodable & Sendable>(_ request: Request<T>) async throws -> Response<T> { throw CancellationError() }
}

final class TaskTracker: NSObject, URLSessionTaskDelegate {}
