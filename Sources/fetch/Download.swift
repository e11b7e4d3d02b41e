import Foundation
import NetworkIndicatorURLSession

/// A file to fetch.
struct Download: Sendable {
    var url: URL
    var name: String
    /// `nil`: the current directory.
    var directory: String?
    var replaces: Bool

    var path: String { Directory.path(name, in: directory) }

    var displayedURL: String { url.withoutCredentials }

    /// What diagnostics call it: no other download has this name.
    var label: String { "\(path) (\(displayedURL))" }

    /// What became of it.
    struct Outcome: Sendable {
        /// The HTTP status.
        var status: Int
        /// In bytes.
        var size: Int
    }
}
