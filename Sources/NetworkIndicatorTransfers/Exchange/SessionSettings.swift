import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct SessionSettings: Sendable {
    let identifier: String?
    private let requestTimeout: TimeInterval
    let resourceTimeout: Duration
    private let headers: [String: String]

    init(_ configuration: URLSessionConfiguration) {
        identifier = configuration.identifier
        requestTimeout = configuration.timeoutIntervalForRequest
        let resource = configuration.timeoutIntervalForResource
        resourceTimeout = resource > 0 && resource < Duration.longest.timeInterval ? .seconds(resource) : .longest
        // On Linux, the lock of `Transport.of(_:)` is held here, so the caller's code must not run. The interpolation
        // runs none of it, because `URLSession.init` on Linux traps if a name or a value isn't a string.
        let additional = configuration.httpAdditionalHeaders ?? [:]
        headers = Dictionary(additional.map { ("\($0)", "\($1)") }) { first, _ in first }
    }

    func applied(to request: URLRequest) -> URLRequest {
        var request = request
        request.url = request.url?.withLowercaseScheme
        // A request whose timeout was never set has a `timeoutInterval` of 60 s.
        if request.timeoutInterval == 60 { request.timeoutInterval = requestTimeout }
        return Transport.corrected(request, with: headers)
    }
}
