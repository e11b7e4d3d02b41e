#if canImport(FoundationNetworking)
import CLibcurl
import Foundation
import FoundationNetworking

/// The cookies of one request. libcurl decides which of them it sends, and which it accepts from the response, because
/// Foundation on Linux doesn't apply the rules of RFC 6265. The storage keeps them between requests.
struct CurlCookies {
    let storage: HTTPCookieStorage
    let url: URL
    /// `false` if the request has a `Cookie` header of its own.
    let sends: Bool
    let accepts: Bool
    private var loaded: [String] = []
    private var known: Set<String>?

    init(_ storage: HTTPCookieStorage, _ url: URL, sends: Bool, accepts: Bool) {
        (self.storage, self.url, self.sends, self.accepts) = (storage, url, sends, accepts)
    }

    /// Enables libcurl's cookies, which are those of the storage.
    mutating func load(into easy: NIEasy?) {
        ni_easy_set_pointer(easy, Int32(NI_OPT_COOKIEFILE), "")
        guard sends, let host = url.host?.lowercased() else { return }
        // libcurl sends those first that it has received last, but RFC 6265 prefers older ones (5.4).
        loaded = (storage.cookies ?? []).lazy.filter { $0.domainMatches(host) }.map { ($0.creation, $0) }
            .sorted { $0.0 > $1.0 }.compactMap(\.1.line)
        for line in loaded { ni_easy_set_pointer(easy, Int32(NI_OPT_COOKIELIST), line) }
    }

    /// Passes the changes that a response has made to the storage.
    mutating func save(from easy: NIEasy?) {
        guard accepts else { return }
        let lines = Self.lines(of: easy)
        let known = known ?? linesBefore()
        let kept = Set(lines.map(Self.key))
        for line in known where !kept.contains(Self.key(line)) {
            if let cookie = HTTPCookie.of(line) { storage.deleteCookie(cookie) }
        }
        // Foundation notes the time of each. libcurl lists new cookies in their order.
        for line in lines where !known.contains(line) {
            if let cookie = HTTPCookie.of(line) { storage.setCookie(cookie) }
        }
        self.known = Set(lines)
    }

    /// The loaded cookies, as libcurl lists them.
    private func linesBefore() -> Set<String> {
        guard !loaded.isEmpty, let easy = ni_easy_init() else { return [] }
        defer { ni_easy_cleanup(easy) }
        for line in loaded { ni_easy_set_pointer(easy, Int32(NI_OPT_COOKIELIST), line) }
        return Set(Self.lines(of: easy))
    }

    private static func lines(of easy: NIEasy?) -> [String] {
        let list = ni_easy_list(easy, Int32(NI_INFO_COOKIELIST))
        defer { ni_list_free(list) }
        var lines: [String] = []
        var next = list
        while let entry = next {
            lines.append(String(cString: ni_list_text(entry)))
            next = ni_list_next(entry)
        }
        return lines
    }

    /// The domain, the path and the name.
    private static func key(_ line: String) -> [Substring] {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        return fields.count < 6 ? [] : [fields[0].trimmingPrefix(HTTPCookie.httpOnly), fields[2], fields[5]]
    }
}

/// Lines of a Netscape cookie file.
extension HTTPCookie {
    fileprivate static let httpOnly = "#HttpOnly_"

    /// Foundation has changed the domain to lower case.
    fileprivate func domainMatches(_ host: String) -> Bool {
        domain == host || domain.utf8.first == 46 && (host.hasSuffix(domain) || domain.dropFirst() == host)
    }

    fileprivate var creation: Double {
        let created = properties?[HTTPCookiePropertyKey("Created")]
        return created as? Double ?? (created as? String).flatMap { Double($0) } ?? 0
    }

    /// - Returns: `nil` if the cookie can't be written as a line.
    fileprivate var line: String? {
        // Zero would mean that the cookie doesn't expire.
        let expiry = expiresDate.map { Int64(max(1, min($0.timeIntervalSince1970, 1e11))) } ?? 0
        let domain = domain
        let line =
            "\(isHTTPOnly ? Self.httpOnly : "")\(domain)\t\(domain.utf8.first == 46 ? "TRUE" : "FALSE")\t\(path)\t"
            + "\(isSecure ? "TRUE" : "FALSE")\t\(expiry)\t\(name)\t\(value)"
        let controls = line.utf8.lazy.filter { $0 < 14 && $0 != 11 }
        return controls.count == 6 && controls.allSatisfy { $0 == 9 } ? line : nil
    }

    fileprivate static func of(_ line: String) -> HTTPCookie? {
        let fields = line.split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false).map { String($0) }
        guard fields.count == 7 else { return nil }
        let isHTTPOnly = fields[0].hasPrefix(httpOnly)
        var properties: [HTTPCookiePropertyKey: Any] = [
            .domain: isHTTPOnly ? String(fields[0].dropFirst(httpOnly.count)) : fields[0], .path: fields[2],
            .name: fields[5], .value: fields[6],
        ]
        // Foundation takes any text for true.
        if isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        if fields[3] == "TRUE" { properties[.secure] = "TRUE" }
        if let expiry = Double(fields[4]), expiry > 0 {
            properties[.expires] = Date(timeIntervalSince1970: expiry)
        } else {
            properties[.discard] = "TRUE"
        }
        return HTTPCookie(properties: properties)
    }
}
#endif
