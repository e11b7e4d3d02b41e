package import Foundation

extension URL {
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
