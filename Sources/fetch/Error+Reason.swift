import Foundation
import NetworkIndicatorTracing
import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Error {
    var reason: String {
        switch self as any Error {
        case let error as NetworkRequestError:
            let attempts = error.attemptCount > 1 ? " (after \(error.attemptCount) attempts)" : ""
            return error.underlyingError.localizedDescription + attempts
        case DownloadError.unacceptableStatus(let response):
            return "\(response.statusCode) \(HTTPURLResponse.localizedString(forStatusCode: response.statusCode))"
        case DownloadError.file(.create, let url, .EEXIST):
            return "'\(url.lastPathComponent)' exists; use --force to replace it, or -c to skip it"
        case let error as DownloadError:
            return String(error.description.dropLast())  // without the period
        default:
            // On Linux, Foundation's description omits the file, and often the reason.
            let error = self as NSError
            let reason = error.posixCode.map { String(cString: strerror($0)) } ?? localizedDescription
            return (error.userInfo[NSFilePathErrorKey] as? String).map { "'\($0)': \(reason)" } ?? reason
        }
    }
}

extension NSError {
    var posixCode: Int32? {
        let cause = (userInfo[NSUnderlyingErrorKey] as? any Error ?? self) as NSError
        return cause.domain == NSPOSIXErrorDomain ? Int32(cause.code) : nil
    }
}
