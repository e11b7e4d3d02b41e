package import Foundation

extension URL {
    /// Whether loading the URL uses the network. `file:` and `data:` URLs don't.
    package var isNetworkUse: Bool { !["file", "data"].contains(scheme?.lowercased()) }

    /// The URL as a string without user name and password, for logs and error messages.
    package var withoutCredentials: String {
        guard absoluteString.utf8.contains(UInt8(ascii: "@")),
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
            parts.user != nil || parts.password != nil
        else { return absoluteString }
        parts.user = nil
        parts.password = nil
        return parts.string ?? "\(scheme ?? "")://\(host ?? "")"
    }

    /// Whether both URLs have the same scheme, host and port (RFC 6454).
    package func hasOrigin(of other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && host?.lowercased() == other.host?.lowercased()
            && effectivePort == other.effectivePort
    }

    private var effectivePort: Int { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}
