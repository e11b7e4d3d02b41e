import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The parts of a session's configuration that apply to its requests.
struct SessionSettings: Sendable {
    let identifier: String?
    /// How long a request without a timeout of its own waits for data, in seconds.
    private let requestTimeout: TimeInterval
    /// How long a call may take in all.
    let resourceTimeout: Duration
    /// The headers of each request.
    private let headers: [String: String]

    init(_ configuration: URLSessionConfiguration) {
        identifier = configuration.identifier
        requestTimeout = configuration.timeoutIntervalForRequest
        let resource = configuration.timeoutIntervalForResource
        resourceTimeout = resource > 0 && resource < Duration.longest.timeInterval ? .seconds(resource) : .longest
        let additional = configuration.httpAdditionalHeaders ?? [:]
        headers = Dictionary(additional.map { ("\($0)", "\($1)") }) { first, _ in first }
    }

    /// Returns the request with the session's timeout, and with the settings that URLSession doesn't apply correctly on
    /// Linux.
    func applied(to request: URLRequest) -> URLRequest {
        var request = request
        request.url = request.url?.withLowercaseScheme
        // A request without a timeout of its own reports 60 s.
        if request.timeoutInterval == 60 { request.timeoutInterval = requestTimeout }
        return Transport.corrected(request, with: headers)
    }
}
