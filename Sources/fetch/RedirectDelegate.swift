import Foundation

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
        if Origin(response.url) != Origin(request.url) {
            for header in headers { request.setValue(nil, forHTTPHeaderField: header.name) }
        }
        completionHandler(request)
    }

    /// The part that all URLs of a server share.
    private struct Origin: Equatable {
        let scheme, host: String?
        let port: Int?

        init(_ url: URL?) {
            scheme = url?.scheme?.lowercased()
            host = url?.host?.lowercased()
            port = url?.port ?? (scheme == "https" ? 443 : 80)
        }
    }
}
