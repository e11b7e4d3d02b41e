#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicatorURLSession

/// Rules of RFC 6265 that Foundation on Linux doesn't apply: it sends cookies of secure connections in clear text, and
/// to other paths and hosts than they were meant for.
extension HTTPCookieStorage {
    /// - Parameter values: The values of `Set-Cookie`.
    func store(_ values: [String], from url: URL, mainDocumentURL: URL?) {
        // Foundation traps if a date contains a combining mark.
        for value in values where value.utf8.allSatisfy({ $0 < 128 }) {
            let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": value], for: url)
            let isExpired = value.firstMatch(of: /(?i);\s*max-age=(0|-)/) != nil
            for cookie in cookies where cookie.isAllowed(from: url) {
                if isExpired {
                    deleteCookie(cookie)
                } else {
                    setCookies([cookie], for: url, mainDocumentURL: mainDocumentURL)
                }
            }
        }
    }

    func header(for url: URL) -> String? {
        let path = url.path(percentEncoded: true)
        let applicable = (cookies(for: url) ?? []).filter { cookie in
            let folder = cookie.path.hasSuffix("/") ? cookie.path : cookie.path + "/"
            return (path == cookie.path || (path.isEmpty ? "/" : path).hasPrefix(folder))
                && (!cookie.isSecure || url.scheme == "https")
        }
        return HTTPCookie.requestHeaderFields(with: applicable)["Cookie"]
    }
}

extension HTTPCookie {
    /// An address has no domains, and a domain without a dot would match the hosts of strangers. This method doesn't
    /// know other public suffixes, such as `co.uk`.
    fileprivate func isAllowed(from url: URL) -> Bool {
        let domain = domain.lowercased().drop { $0 == "." }
        guard let host = url.host?.lowercased(), domain != host else { return true }
        return domain.contains(".") && host.hasSuffix("." + domain) && host.contains(/[a-z][^.]*$/)
    }
}
#endif
