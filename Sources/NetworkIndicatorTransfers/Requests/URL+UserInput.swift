public import Foundation

extension URL {
    /// Creates a URL from text that a person typed or pasted, such as a command-line argument.
    ///
    /// The initializer percent-encodes only what a URL can't contain, and keeps valid escapes. `URL(string:)` instead
    /// encodes valid escapes again if their component also contains a character that must be encoded. This breaks
    /// signed URLs, for example:
    ///
    /// | text | this initializer | `URL(string:)` |
    /// |---|---|---|
    /// | `/a%20b\|c.txt` | `/a%20b%7Cc.txt` | `/a%2520b%7Cc.txt` |
    /// | `/?sig=a%2Fb&f=é` | `/?sig=a%2Fb&f=%C3%A9` | `/?sig=a%252Fb&f=%C3%A9` |
    ///
    /// A percent sign that begins no valid escape becomes `%25`. White space at the beginning and at the end of the
    /// text is ignored.
    ///
    /// A text without a scheme must begin with a host: `localhost`, an address, or a name with a dot or a port. An IPv6
    /// address is in brackets. `example.com/x` becomes `https://example.com/x`. For `localhost` and addresses, the
    /// scheme is `http`, as in `http://127.0.0.1:8080/x`.
    ///
    /// - Parameter text: The text.
    /// - Returns: The URL, or `nil` if the text isn't a URL with the scheme `http` or `https`, a host and, if any, a
    ///   valid port. Examples of such texts are `not a url at all`, `/etc/passwd` and `me@example.com`.
    public init?(fromUserInput text: String) {
        let text = Self.withScheme(text.trimmingCharacters(in: .whitespacesAndNewlines))
        // Most texts are valid URLs. Encoding a valid URL would take hundreds of times as long as parsing it.
        guard let url = URL(string: text, encodingInvalidCharacters: false) ?? URL(string: Self.percentEncoded(text)),
            ["http", "https"].contains(url.scheme?.lowercased()), url.unusable == nil
        else { return nil }
        self = url
    }

    private static func withScheme(_ text: String) -> String {
        // Parsing the regular expression took a quarter of the CPU time of 400 small downloads.
        if ["http://", "https://"].contains(where: text.lowercased().hasPrefix) { return text }
        let host = /(\[[^\s\/?#@]+\]|[\p{L}\p{N}][^\s:\/?#@\[\]]*)(:[0-9]+)?(?=[\/?#]|$)/
        guard let (_, name, port) = text.prefixMatch(of: host)?.output else { return text }
        let isLocal = String(name).isLoopback
        // A single word can be anything.
        guard isLocal || port != nil || name.contains(where: { ".:".contains($0) }) else { return text }
        let isAddress = name.wholeMatch(of: /\[.*\]|[0-9.]+/) != nil
        return (isLocal || isAddress ? "http://" : "https://") + text
    }

    /// Valid escapes are never encoded again (RFC 3986, 2.4). The host stays as it is, because Foundation encodes
    /// international host names.
    static func percentEncoded(_ text: String) -> String {
        let origin = /(?:[^:\/?#]+:)?\/\/[^\/?#]*/.matchingSemantics(.unicodeScalar)
        let path = text.prefixMatch(of: origin)?.range.upperBound ?? text.startIndex
        let host = text.unicodeScalars[..<path].lastIndex(of: "@") ?? text.startIndex
        let userInfo = encoded(text[..<host], .urlUserAllowed.union(CharacterSet(charactersIn: ":/")))
        let parts = text.unicodeScalars[path...].split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        return userInfo + text[host..<path] + parts.map { encoded(Substring($0)) }.joined(separator: "#")
    }

    private static func encoded(_ component: Substring, _ allowed: CharacterSet = .urlQueryAllowed) -> String {
        let allowed = allowed.union(CharacterSet(charactersIn: "%"))
        let encoded = component.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        return encoded.replacing(/%(?![0-9A-Fa-f]{2})/, with: "%25")
    }
}

extension URL {
    /// URLSession's own errors for unusable URLs don't name the reason.
    var unusable: URLError? {
        // In `localhost:8080/path`, the host looks like a scheme.
        var hasScheme: Bool { scheme != nil && absoluteString.wholeMatch(of: /[^\/:]+:[0-9]+([\/?#].*)?/) == nil }
        let badPort = port.flatMap { (1...65_535).contains($0) ? nil : $0 }
        let (code, reason): (URLError.Code, String?) =
            switch scheme?.lowercased() {
            case "http", "https":
                (.badURL, (host ?? "").isEmpty ? "the URL has no host" : badPort.map { "\($0) is not a port number" })
            case "ws", "wss": (.unsupportedURL, "\(scheme!) needs a WebSocket task")
            // URLSession on Linux traps if an FTP server sends a line that isn't UTF-8.
            case "ftp" where !URLError.isLocalized: (.unsupportedURL, "the scheme \(scheme!) is not supported")
            default: (.unsupportedURL, hasScheme ? nil : "the URL must begin with https:// or http://")
            }
        return reason.map { URLError(code, reason: $0, url: self) }
    }
}

extension String {
    /// Whether the host of a URL is this machine.
    var isLoopback: Bool {
        let names = /(.+\.)?localhost\.?|127(\.[0-9]+){1,3}\.?|\[?::1\]?/
        return lowercased().wholeMatch(of: names) != nil
    }
}
