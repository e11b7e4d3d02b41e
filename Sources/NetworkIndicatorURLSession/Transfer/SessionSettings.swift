import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The parts of a session's configuration that apply to its requests.
struct SessionSettings: Sendable {
    let identifier: String?
    /// How long a request without a timeout of its own waits for data, in seconds.
    let requestTimeout: TimeInterval
    /// How long a call may take in all.
    let resourceTimeout: Duration

    init(_ configuration: URLSessionConfiguration) {
        identifier = configuration.identifier
        requestTimeout = configuration.timeoutIntervalForRequest
        let resource = configuration.timeoutIntervalForResource
        resourceTimeout = resource > 0 && resource < Duration.longest.timeInterval ? .seconds(resource) : .longest
    }

    /// Returns the request with its timeout in whole seconds.
    ///
    /// URLSession on Linux would drop a fraction, so that a timeout of 0.5 s would end the request at once. It traps if the
    /// timeout isn't an integer.
    func applied(to request: URLRequest) -> URLRequest {
        #if canImport(FoundationNetworking)
        // A request without a timeout of its own reports 60 s.
        let own = request.timeoutInterval == 60 ? requestTimeout : request.timeoutInterval
        var request = request
        request.timeoutInterval = own.isNaN ? 60 : min(max(1, own.rounded(.up)), 1e9)
        return request
        #else
        return request
        #endif
    }
}

extension URLSession {
    var settings: SessionSettings {
        #if canImport(FoundationNetworking)
        SiblingSessions.shared.sibling(of: self).settings
        #else
        SessionSettings(configuration)
        #endif
    }
}
