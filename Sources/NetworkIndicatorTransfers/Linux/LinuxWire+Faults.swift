#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

// MARK: Small faults, which have no type of their own

extension LinuxWire {
    /// The descriptions of URLSession's errors aren't localized. Most of them are libcurl's English messages.
    static let describesErrors = false

    /// URLSession traps if an FTP server sends a line that isn't UTF-8.
    static let supportsFTP = false

    /// URLSession reports a FIN before the response as -1011, and a FIN or an incomplete chunk within the body as -1.
    static let brokenConnectionCodes: Set<URLError.Code> = [.unknown, .badServerResponse]

    /// If URLSession can't parse a header line (swift-corelibs-foundation #5527) or decode a body, it reports -1 with a
    /// misleading description from libcurl. If a response has no status line, for example because the rest of an
    /// earlier response precedes it, URLSession reports an unsupported URL.
    static func corrected(_ error: URLError) -> URLError {
        guard [.unknown, .unsupportedURL].contains(error.code),
            let detail = error.userInfo[NSLocalizedDescriptionKey] as? String
        else { return error }
        let url = error.failingURL
        if let status = detail.firstMatch(of: /(?:CONNECT tunnel failed, response|Received HTTP code) (\d+)/)?.1 {
            let code: URLError.Code =
                switch status {
                case "401", "407": .userAuthenticationRequired
                case "408", "429", "500"...: .cannotConnectToHost
                // A request that the proxy forbids must not be retried.
                default: .resourceUnavailable
                }
            let reason = "the proxy \(Proxy.name) refused the connection with status \(status)"
            return URLError(code, reason: reason, url: url, underlying: error)
        }
        let (code, reason): (URLError.Code, String)
        if detail.contains("HTTP/0.9") {
            (code, reason) = (.badServerResponse, "the response has no status line")
        } else if detail == "Failed writing header" {
            (code, reason) = (.cannotParseResponse, "Foundation can't read a header line of the response")
        } else if detail.contains(/writing received data|encoded stream|content (un)?encoding|Transfer-Encoding/) {
            (code, reason) = (.cannotDecodeContentData, "the body can't be decoded")
        } else {
            return error
        }
        return URLError(code, reason: "\(reason) (\(detail))", url: url, underlying: error)
    }

    static func isRefusedByRequest(_ error: URLError) -> Bool { false }
}

private enum Proxy {
    /// libcurl reads the proxy of `https` requests from these variables of the environment.
    static var name: String {
        let environment = ProcessInfo.processInfo.environment
        let value = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].lazy.compactMap { environment[$0] }.first
        return value?.firstMatch(of: /^(?:\w+:\/\/)?(?:.*@)?([^\/]+)/).map { String($0.1) } ?? ""
    }
}
#endif
