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
    var hasResponse = false
    /// A `CURLPX` code.
    var proxyError = 0

    func error(_ url: URL?) -> URLError {
        let (code, reason) = cause(url?.host ?? "the host", Proxy(of: url?.scheme))
        let failingURL = url.map { [NSURLErrorFailingURLErrorKey: $0] } ?? [:]
        return reason.map { URLError(code, reason: $0, url: url) } ?? URLError(code, userInfo: failingURL)
    }

    /// - Returns: A code, and a reason unless the reason follows from the code.
    private func cause(_ host: String, _ proxy: Proxy) -> (URLError.Code, String?) {
        if connectStatus >= 300, !hasResponse {
            let code: URLError.Code =
                switch connectStatus {
                case 401, 407: .userAuthenticationRequired
                case 408, 429, 500...: .cannotConnectToHost
                // A request that the proxy forbids must not be retried.
                default: .resourceUnavailable
                }
            return (code, "the proxy \(proxy.name) refused the connection with status \(connectStatus)")
        }
        let isInvalid = [8, 43, 100].contains(code) || code == 56 && text.contains(/headers|chunk/)
        switch code {
        case 0: return (.networkConnectionLost, "the connection ended within the headers of the response")
        case 1 where text.contains("HTTP/0.9"): return (.badServerResponse, "the response has no status line")
        case 1: return (.unsupportedURL, nil)
        case 3: return (.badURL, text)
        case 5: return (.cannotFindHost, "cannot find the proxy \(proxy.name)")
        case 6: return (.cannotFindHost, nil)
        case 7 where [ENETUNREACH, EHOSTUNREACH].contains(systemError):
            return (.notConnectedToInternet, "\(host) is unreachable")
        case 7 where proxy.isNamed(in: text):
            return (.cannotConnectToHost, "cannot connect to the proxy \(proxy.name)")
        case 7: return (.cannotConnectToHost, nil)
        case 97:
            let code: URLError.Code =
                switch proxyError {
                case 12, 33: .userAuthenticationRequired  // CURLPX_NO_AUTH, CURLPX_USER_REJECTED
                case 23: .resourceUnavailable  // CURLPX_REPLY_NOT_ALLOWED
                default: .cannotConnectToHost
                }
            return (code, "the proxy \(proxy.name) made no connection (\(text))")
        case _ where isInvalid:
            return (.cannotParseResponse, "the response is invalid (\(text))")
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
            let code: URLError.Code =
                switch certificateError {
                case 9: .serverCertificateNotYetValid
                case 10: .serverCertificateHasBadDate
                default: .serverCertificateUntrusted
                }
            return (code, text)
        case 23, 61: return (.cannotDecodeContentData, "the body can't be decoded (\(text))")
        default: return (.unknown, text)
        }
    }
}

/// The proxy for a URL, which libcurl reads from these variables of the environment.
private struct Proxy {
    /// For example `127.0.0.1:8080`.
    let name: String

    init(of scheme: String?) {
        let environment = ProcessInfo.processInfo.environment
        let ofScheme = scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        let value = (ofScheme + ["all_proxy", "ALL_PROXY"]).lazy.compactMap { environment[$0] }.first
        name = value?.firstMatch(of: /^(?:\w+:\/\/)?(?:.*@)?([^\/]+)/).map { String($0.1) } ?? ""
    }

    /// The text says "over proxy" with 8.22, and "via" with 8.16. With 8.12, it names the host and the port of the
    /// proxy.
    func isNamed(in text: String) -> Bool {
        let address = name.wholeMatch(of: /\[?(.*?)\]?(?::([0-9]+))?/)
        let names = [" over proxy ", " via "].contains { text.contains($0) }
        return names || text.contains(" \(address?.1 ?? "") port \(address?.2 ?? "1080") ")
    }
}
#endif
