#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// A failure that libcurl reports, as an error of URLSession (https://curl.se/libcurl/c/libcurl-errors.html).
struct CurlFailure {
    let code: Int32
    let text: String
    /// The status of a proxy's response to `CONNECT`, or 0.
    var connectStatus = 0
    var systemError: Int32 = 0
    var certificateError = 0
    /// A `CURLPX` code.
    var proxyError = 0

    /// Whether the host or its proxy has responded, so there is a network.
    var isResponse: Bool { connectStatus > 0 || proxyError > 0 || systemError == ECONNREFUSED }

    func error(_ url: URL?) -> URLError {
        let (code, reason) = cause(url?.host ?? "the host", Self.proxy(of: url?.scheme?.lowercased()))
        return URLError(code, reason: reason, url: url)
    }

    /// - Returns: A code, and a reason unless the reason follows from the code.
    private func cause(_ host: String, _ proxy: String) -> (URLError.Code, String?) {
        if connectStatus >= 300 {
            let code: URLError.Code =
                switch connectStatus {
                case 401, 407: .userAuthenticationRequired
                case 408, 429, 500...: .cannotConnectToHost
                // A request that the proxy forbids must not be retried.
                default: .resourceUnavailable
                }
            return (code, "the proxy \(proxy) refused the connection with status \(connectStatus)")
        }
        let isInvalid = [8, 43, 100].contains(code) || code == 56 && text.contains(/headers|chunk/)
        switch code {
        case 0: return (.networkConnectionLost, "the connection ended within the headers of the response")
        // The response has no status line.
        case 1: return (.badServerResponse, text)
        case 3: return (.badURL, text)
        case 5: return (.cannotFindHost, "cannot find the proxy \(proxy)")
        case 6: return (.cannotFindHost, nil)
        case 7 where [ENETUNREACH, EHOSTUNREACH].contains(systemError):
            return (.cannotConnectToHost, "\(host) is unreachable")
        // libcurl names the proxy after "via" (8.16) or "over proxy" (8.22), and earlier versions instead of the host.
        case 7 where !proxy.isEmpty && (!text.contains(" to \(host)") || text.contains(/\b(via|over proxy)\b/)):
            return (.cannotConnectToHost, "cannot connect to the proxy \(proxy)")
        case 7: return (.cannotConnectToHost, nil)
        case 97:
            // CURLPX_NO_AUTH, CURLPX_USER_REJECTED and CURLPX_REPLY_NOT_ALLOWED
            let refusals: [Int: URLError.Code] = [
                12: .userAuthenticationRequired, 33: .userAuthenticationRequired, 23: .resourceUnavailable,
            ]
            let reason = "the proxy \(proxy) made no connection (\(text))"
            return (refusals[proxyError] ?? .cannotConnectToHost, reason)
        case _ where isInvalid: return (.cannotParseResponse, "the response is invalid (\(text))")
        case 27: return (.cannotParseResponse, "the response has a line that is too long, or memory is exhausted")
        case 28: return (.timedOut, nil)
        // With TLS 1.3, a server can refuse a client after the handshake.
        case _ where [55, 56].contains(code) && text.contains(/\balert\b/): return (.secureConnectionFailed, text)
        case 16, 18, 52, 55, 56, 65, 92: return (.networkConnectionLost, nil)
        // The number can also be that of an earlier address.
        case 35 where [ECONNRESET, EPIPE].contains(systemError) || text.contains("SSL_ERROR_SYSCALL"):
            return (.networkConnectionLost, "the connection was lost before it was secure (\(text))")
        case 35, 53, 54, 58, 59, 64, 66: return (.secureConnectionFailed, text)
        case 51, 60, 77, 82, 83, 90, 91:
            let dates: [Int: URLError.Code] = [9: .serverCertificateNotYetValid, 10: .serverCertificateHasBadDate]
            return (dates[certificateError] ?? .serverCertificateUntrusted, text)
        case 23, 61: return (.cannotDecodeContentData, "the body can't be decoded (\(text))")
        default: return (.unknown, text)
        }
    }

    /// The proxy for a URL, which libcurl reads from these variables of the environment. For example `127.0.0.1:8080`.
    private static func proxy(of scheme: String?) -> String {
        let environment = ProcessInfo.processInfo.environment
        let ofScheme = scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        let value = (ofScheme + ["all_proxy", "ALL_PROXY"]).lazy.compactMap { environment[$0] }.first
        return value?.firstMatch(of: /^(?:\w+:\/\/)?(?:.*@)?([^\/]+)/).map { String($0.1) } ?? ""
    }
}
#endif
