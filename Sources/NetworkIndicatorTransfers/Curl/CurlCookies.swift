#if canImport(FoundationNetworking)
import CLibcurl
import Foundation
import FoundationNetworking

/// The cookies of one transfer. libcurl decides which of them it sends, and which it accepts from the response, because
/// Foundation on Linux doesn't apply the rules of RFC 6265. The storage keeps them between transfers.
struct CurlCookies {
    private let storage: HTTPCookieStorage
    private let accepts: Bool
    /// The cookies that libcurl had after the last change of the storage, as lines of a cookie file.
    private var known: Set<String> = []

    /// - Returns: `nil` if the request has nothing to do with cookies.
    init?(_ request: URLRequest, _ configuration: URLSessionConfiguration) {
        guard request.httpShouldHandleCookies, configuration.httpShouldSetCookies,
            let storage = configuration.httpCookieStorage
        else { return nil }
        self.storage = storage
        let policies = [configuration.httpCookieAcceptPolicy, storage.cookieAcceptPolicy]
        let host = request.url?.host?.lowercased() ?? ""
        let document = request.mainDocumentURL?.host?.lowercased() ?? host
        let isForeign = document != host && !document.hasSuffix(".\(host)")
        accepts = !policies.contains(.never) && !(isForeign && policies.contains(.onlyFromMainDocumentDomain))
    }

    /// Passes the cookies of the storage to libcurl, unless the request has cookies of its own.
    mutating func load(into easy: NIEasy?, for request: URLRequest) {
        ni_easy_set_pointer(easy, Int32(NI_OPT_COOKIEFILE), "")
        guard request.value(forHTTPHeaderField: "Cookie") == nil, let host = request.url?.host?.lowercased() else {
            return
        }
        // libcurl also needs cookies with other paths, which the response can remove. Of cookies whose paths have equal
        // lengths, libcurl sends those first that were loaded last. RFC 6265, 5.4 prefers the oldest.
        let lines = (storage.cookies ?? []).filter { $0.domainMatches(host) }.map { ($0.creation, $0.line) }
            .sorted { $0.0 > $1.0 }.compactMap(\.1)
        if lines.isEmpty { return }
        for line in lines { ni_easy_set_pointer(easy, Int32(NI_OPT_COOKIELIST), line) }
        known = Set(Self.lines(of: easy))
    }

    /// Passes the changes by a response to the storage. Another transfer may have changed other cookies meanwhile.
    mutating func save(from easy: NIEasy?) {
        guard accepts else { return }
        let lines = Self.lines(of: easy)
        for line in known.subtracting(lines) { HTTPCookie(line: line).map(storage.deleteCookie) }
        // Foundation notes the time of each. libcurl lists new cookies in the order of the response.
        for line in lines where !known.contains(line) { HTTPCookie(line: line).map(storage.setCookie) }
        known = Set(lines)
    }

    private static func lines(of easy: NIEasy?) -> [String] {
        let list = ni_easy_list(easy, Int32(NI_INFO_COOKIELIST))
        defer { ni_list_free(list) }
        return sequence(first: list) { $0.flatMap(ni_list_next) }.prefix { $0 != nil }
            .map { String(cString: ni_list_text($0)) }
    }
}

/// The line of a Netscape cookie file.
extension HTTPCookie {
    private static let httpOnly = "#HttpOnly_"

    /// Foundation has changed the domain to lower case.
    fileprivate func domainMatches(_ host: String) -> Bool {
        domain == host || domain.utf8.first == 46 && ".\(host)".hasSuffix(domain)
    }

    fileprivate var creation: Double { properties?[HTTPCookiePropertyKey("Created")] as? Double ?? 0 }

    /// `nil` if the cookie can't be written as a line.
    fileprivate var line: String? {
        // Zero would mean that the cookie doesn't expire.
        let expiry = expiresDate.map { Int64(max(1, min($0.timeIntervalSince1970, 1e11))) } ?? 0
        let fields = [
            "\(isHTTPOnly ? Self.httpOnly : "")\(domain)", domain.utf8.first == 46 ? "TRUE" : "FALSE", path,
            isSecure ? "TRUE" : "FALSE", "\(expiry)", name, value,
        ]
        let hasControls = fields.contains { $0.utf8.contains { [0, 9, 10, 13].contains($0) } }
        return hasControls ? nil : fields.joined(separator: "\t")
    }

    fileprivate convenience init?(line: String) {
        let fields = line.split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false).map { String($0) }
        guard fields.count == 7 else { return nil }
        var properties: [HTTPCookiePropertyKey: Any] = [
            .domain: String(fields[0].trimmingPrefix(Self.httpOnly)), .path: fields[2], .name: fields[5],
            .value: fields[6],
        ]
        if fields[0].hasPrefix(Self.httpOnly) { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        // Foundation takes any text for true.
        if fields[3] == "TRUE" { properties[.secure] = "TRUE" }
        let expiry = Double(fields[4]) ?? 0
        if expiry > 0 { properties[.expires] = Date(timeIntervalSince1970: expiry) }
        // Otherwise, the shared storage would keep the cookie in a file.
        if expiry <= 0 { properties[.discard] = "TRUE" }
        self.init(properties: properties)
    }
}
#endif
