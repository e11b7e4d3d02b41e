import Foundation

extension URLError {
    private static let reasonKey = "NetworkIndicator.reason"

    /// The descriptions of errors on Linux are English.
    #if canImport(FoundationNetworking)
    static let isLocalized = false
    #else
    static let isLocalized = true
    #endif

    init(
        _ code: Code, reason: String?, url: URL?, underlying error: (any Error)? = nil, isLocalized: Bool = isLocalized
    ) {
        var userInfo: [String: Any] = [:]
        for key in [Self.reasonKey, NSLocalizedDescriptionKey] { userInfo[key] = reason }
        if let error, isLocalized { userInfo[NSLocalizedDescriptionKey] = error.localizedDescription }
        userInfo[NSUnderlyingErrorKey] = error
        userInfo[NSURLErrorFailingURLErrorKey] = url
        self.init(code, userInfo: userInfo)
    }

    /// Apple's platforms report some lost connections as POSIX errors, such as error 53 after an app was in the
    /// background (AFNetworking #4279).
    init?(reported error: any Error) {
        if let error = error as? URLError {
            self = error
            return
        }
        let error = error as NSError
        guard error.domain == NSPOSIXErrorDomain else { return nil }
        self.init(
            .networkConnectionLost,
            userInfo: [NSLocalizedDescriptionKey: error.localizedDescription, NSUnderlyingErrorKey: error])
    }

    func described(received progress: TransferProgress?, timeout: TimeInterval, url: URL?) -> URLError {
        if userInfo[Self.reasonKey] != nil { return self }
        let host = url?.host ?? "the host"
        let seconds = timeout < 1e6 ? String(format: "%g s", timeout) : "the timeout"
        let reason: String? =
            switch (code, progress) {
            case (.timedOut, nil): "no complete response within \(seconds)"
            case (.timedOut, let progress?): "nothing more arrived for \(seconds), after \(progress)"
            case (.networkConnectionLost, nil): "the connection was lost before a response"
            case (.networkConnectionLost, let progress?): "the connection was lost after \(progress)"
            case (.cannotConnectToHost, _): "cannot connect to \(host)"
            case (.cannotFindHost, _), (.dnsLookupFailed, _): "cannot find \(host)"
            case (.unsupportedURL, _) where !["http", "https"].contains(url?.scheme?.lowercased()):
                "the scheme \(url?.scheme ?? "") is not supported"
            default: nil
            }
        return reason.map { URLError(code, reason: $0, url: url, underlying: self) } ?? self
    }

    var reason: String { userInfo[Self.reasonKey] as? String ?? localizedDescription }
}
