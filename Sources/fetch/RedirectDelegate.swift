import Foundation
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Removes the header fields of the command line from redirects to other origins.
final class RedirectDelegate: NSObject, URLSessionTaskDelegate {
    private let headers: [Arguments.Header]

    init(headers: [Arguments.Header]) { self.headers = headers }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var request = request
        if let first = response.url, let next = request.url, !first.hasOrigin(of: next) {
            for header in headers { request.setValue(nil, forHTTPHeaderField: header.name) }
        }
        completionHandler(request)
    }
}
