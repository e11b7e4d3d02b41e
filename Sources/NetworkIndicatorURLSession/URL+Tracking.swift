package import Foundation

extension URL {
    package var isNetworkUse: Bool { !["file", "data"].contains(scheme?.lowercased()) }

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
