package import Foundation

extension URL {
    /// What is read from the disk, or from the URL itself, is no network use.
    var isNetworkUse: Bool { !["file", "data"].contains(scheme?.lowercased()) }

    /// The address as it may be shown: without name and password, which nobody wants in a log.
    package var withoutCredentials: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
            parts.user != nil || parts.password != nil
        else { return absoluteString }
        parts.user = nil
        parts.password = nil
        return parts.string ?? "\(scheme ?? "")://\(host ?? "")"
    }
}
