import Foundation

/// A file to fetch.
struct Download: Sendable, Equatable {
    var url: URL
    var name: String
    /// `nil`: the current directory.
    var directory: String?
    var replaces: Bool

    var path: String { PartialFile.path(name, in: directory) }

    /// What is shown of the URL: without name and password, which nobody wants in a log.
    var displayedURL: String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false), parts.user != nil else {
            return url.absoluteString
        }
        parts.user = nil
        parts.password = nil
        return parts.string ?? url.absoluteString
    }

    /// What became of it.
    struct Outcome: Sendable, Equatable {
        /// The HTTP status.
        var status: Int
        /// In bytes.
        var size: Int
    }
}
