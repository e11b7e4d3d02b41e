import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The parts of a session's configuration that apply to its requests.
struct SessionSettings: Sendable {
    let identifier: String?
    /// The timeout of a request that doesn't set its own timeout, in seconds.
    private let requestTimeout: TimeInterval
    /// The longest total time that a call may take.
    let resourceTimeout: Duration
    /// The headers to add to each request.
    private let headers: [String: String]

    init(_ configuration: URLSessionConfiguration) {
        identifier = configuration.identifier
        requestTimeout = configuration.timeoutIntervalForRequest
        let resource = configuration.timeoutIntervalForResource
        resourceTimeout = resource > 0 && resource < Duration.longest.timeInterval ? .seconds(resource) : .longest
        // On Linux, this runs while a lock is held. It calls no caller's code, because URLSession traps when it is
        // created with values that aren't strings.
        let additional = configuration.httpAdditionalHeaders ?? [:]
        headers = Dictionary(additional.map { ("\($0)", "\($1)") }) { first, _ in first }
    }

    /// Returns the request with the session's timeout. On Linux, also applies the settings that URLSession doesn't
    /// apply correctly.
    func applied(to request: URLRequest) -> URLRequest {
        var request = request
        request.url = request.url?.withLowercaseScheme
        // A request that doesn't set its own timeout reports 60 s.
        if request.timeoutInterval == 60 { request.timeoutInterval = requestTimeout }
        return Transport.corrected(request, with: headers)
    }
}
