#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

extension URLRequest {
    /// The request that follows a redirect, according to RFC 9110 and to the rules of curl and browsers.
    ///
    /// - Returns: `nil` if the response isn't a redirect.
    func redirected(by response: HTTPURLResponse) throws(URLError) -> URLRequest? {
        guard [301, 302, 303, 307, 308].contains(response.statusCode),
            let location = response.value(forHTTPHeaderField: "Location"), let base = url,
            let target = URL(string: URL.percentEncoded(location), relativeTo: base)?.absoluteURL,
            let scheme = target.scheme?.lowercased()
        else { return nil }
        let refusal: (URLError.Code, String)? =
            switch (base.scheme?.lowercased(), scheme) {
            case ("https", "http"):
                (.appTransportSecurityRequiresSecureConnection, "redirected from https to http, which is not followed")
            case (_, "http"), (_, "https"): nil
            default: (.unsupportedURL, "redirected to the scheme “\(scheme)”, which is not followed")
            }
        if let (code, reason) = refusal { throw URLError(code, reason: reason, url: target) }

        var next = self
        let isSameOrigin = base.origin == target.origin
        next.url = target.inheriting(base, userInfo: isSameOrigin && target.user == nil)
        var dropped = isSameOrigin ? [] : ["Authorization", "Cookie", "Host", "Origin", "Proxy-Authorization"]
        if becomesGet(after: response.statusCode) {
            next.httpMethod = "GET"
            next.httpBody = nil
            dropped += ["Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding"]
        }
        for name in dropped { next.setValue(nil, forHTTPHeaderField: name) }
        // The transfer has read a body stream, and keeps its bytes.
        next.httpBodyStream = nil
        return next
    }

    /// Such a request loses its body, even if it already was a GET.
    func becomesGet(after status: Int) -> Bool {
        status == 303 ? httpMethod != "HEAD" : [301, 302].contains(status) && httpMethod == "POST"
    }
}

extension URL {
    /// A target without a fragment has that of the redirected URL (RFC 9110, 10.2.2).
    fileprivate func inheriting(_ base: URL, userInfo: Bool) -> URL {
        var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        if userInfo {
            parts?.percentEncodedUser = base.user(percentEncoded: true)
            parts?.percentEncodedPassword = base.password(percentEncoded: true)
        }
        if parts?.fragment == nil { parts?.percentEncodedFragment = base.fragment(percentEncoded: true) }
        return parts?.url ?? self
    }

    /// An origin consists of a scheme, a host and a port (RFC 6454).
    var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        return "\(scheme)://\(host?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}
#endif
