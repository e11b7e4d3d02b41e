package import Foundation

extension URL {
    /// Whether loading the URL uses the network. Loading `file:` and `data:` URLs doesn't.
    package var isNetworkUse: Bool { !["file", "data"].contains(scheme?.lowercased()) }

    /// The URL as a string without the user name and password, for logs and error messages.
    package var withoutCredentials: String {
        guard absoluteString.utf8.contains(UInt8(ascii: "@")),
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
            parts.user != nil || parts.password != nil
        else { return absoluteString }
        parts.user = nil
        parts.password = nil
        return parts.string ?? "\(scheme ?? "")://\(host ?? "")"
    }
}
