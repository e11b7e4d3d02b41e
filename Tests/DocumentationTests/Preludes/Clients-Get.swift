import Foundation
import FoundationNetworking
import NetworkIndicator
import NetworkIndicatorURLSession

// Get 2.2
nonisolated struct User: Decodable, Sendable { let name: String }
nonisolated struct Request<Response>: @unchecked Sendable { init(path: String) {} }
nonisolated struct Response<T: Sendable>: Sendable { let value: T }
actor APIClient {
    struct Configuration: @unchecked Sendable { var sessionDelegate: (any URLSessionDelegate)? }
    init(baseURL: URL?, _ configure: @Sendable (inout Configuration) -> Void = { _ in }) {}
    func send<T: Decodable & Sendable>(_ request: Request<T>) async throws -> Response<T> { throw CancellationError() }
}

nonisolated final class TaskTracker: NSObject, URLSessionTaskDelegate {}
