#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// Creates the requests for redirects, according to RFC 9110 and to the rules of curl and browsers.
enum Redirect {
    static let limit = 20

    static func request(following response: HTTPURLResponse, of request: URLRequest) throws(URLError) -> URLRequest? {
        guard statuses.contains(response.statusCode),
            let location = response.value(forHTTPHeaderField: "Location"), let base = request.url
        else { return nil }
        guard let target = URL(string: URL.percentEncoded(location), relativeTo: base)?.absoluteURL.withLowercaseScheme,
            let scheme = target.scheme
        else { return nil }
        let refusal: (URLError.Code, String)? =
            switch (base.scheme?.lowercased(), scheme) {
            case ("https", "http"):
                (.appTransportSecurityRequiresSecureConnection, "redirected from https to http, which is not followed")
            case (_, "http"), (_, "https"):
                (target.host ?? "").isEmpty ? (.badURL, "redirected to a URL without a host") : nil
            default: (.unsupportedURL, "redirected to the scheme “\(scheme)”, which is not followed")
            }
        if let (code, reason) = refusal { throw URLError(code, reason: reason, url: target) }

        var next = request
        next.url = target
        if base.hasOrigin(of: target) {
            if target.user == nil { next.url = target.withUserInfo(of: base) }
        } else {
            for name in ["Authorization", "Cookie", "Host", "Origin", "Proxy-Authorization"] {
                next.setValue(nil, forHTTPHeaderField: name)
            }
        }
        if becomesGet(after: response.statusCode, request.httpMethod) {
            next.httpMethod = "GET"
            next.httpBody = nil
            next.httpBodyStream = nil
            for name in ["Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding"] {
                next.setValue(nil, forHTTPHeaderField: name)
            }
        } else if request.httpBodyStream != nil {
            throw URLError(
                .requestBodyStreamExhausted, reason: "redirected, and a body stream can't be sent twice", url: target)
        }
        return next
    }

    /// A request that becomes a GET loses its body, even if it already was a GET.
    static func becomesGet(after status: Int, _ method: String?) -> Bool {
        status == 303 ? method != "HEAD" : [301, 302].contains(status) && method == "POST"
    }

    static let statuses = [301, 302, 303, 307, 308]
}

extension URL {
    fileprivate func withUserInfo(of other: URL) -> URL {
        var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        parts?.percentEncodedUser = other.user(percentEncoded: true)
        parts?.percentEncodedPassword = other.password(percentEncoded: true)
        return parts?.url ?? self
    }

    /// An origin consists of a scheme, a host and a port (RFC 6454).
    fileprivate func hasOrigin(of other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && host?.lowercased() == other.host?.lowercased()
            && effectivePort == other.effectivePort
    }

    private var effectivePort: Int { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}
#endif
