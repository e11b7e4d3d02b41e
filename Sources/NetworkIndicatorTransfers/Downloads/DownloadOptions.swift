public import Foundation

/// How a download treats its destination and its partial file.
///
/// ```swift
/// var options = DownloadOptions()
/// options.replacesDestination = false
/// options.maximumBytes = 1_000_000_000
/// let (file, _) = try await URLSession.shared.trackedDownload(
///     for: request, to: destination, options: options)
/// ```
public struct DownloadOptions: Sendable, Hashable {
    /// Whether an existing file at the destination is replaced. Default `true`.
    ///
    /// If it is `false`, an existing file stays as it is, and the download throws ``DownloadError/file(_:url:code:)`` with
    /// `EEXIST`. If the file appears during the download, it throws ``DownloadError/notMoved(url:destination:code:)``.
    ///
    /// Only a regular file, or a link to one, is ever replaced. For anything else, such as a device, a pipe or a link
    /// whose target is missing, the code is `ENXIO`, and for a directory it is `EISDIR`.
    public var replacesDestination = true

    /// The largest number of bytes that the file may have, or `nil` for any number. Default `nil`.
    ///
    /// The limit counts the bytes that are written: after decompression, and including a resumed part. A longer file
    /// makes the download throw ``DownloadError/tooLarge(limit:)``.
    public var maximumBytes: Int64?

    /// Whether a download that fails, is cancelled, or ends with its process keeps its partial file. Default `true`.
    ///
    /// The next download to the same destination resumes the part, even in another process. Without this, a lost network
    /// or Ctrl-C would cost everything that was received. A destination has one part, ``partialFile(for:)``, so repeated
    /// failures don't accumulate parts, and a success leaves none.
    ///
    /// A part is resumed only if the whole file comes from one version of the resource:
    /// - The server accepts ranges, announces the length, and sends a strong validator. That is a strong `ETag`. For a URL
    ///   without a query, it is also a `Last-Modified` at least one minute before its `Date`, if there is no `ETag`.
    /// - The later response has the same validator and length, and comes from the same URL, after redirects. The query
    ///   may differ.
    ///
    /// Otherwise the download starts over and replaces the part. ``AttemptEvent/receiving(isResumable:isVerifiable:)``
    /// reports whether a part can be resumed. A part that can't be resumed stays only if the process is killed.
    ///
    /// If it is `false`, the part is removed, and an existing part is replaced.
    public var keepsPartialFile = true

    /// Creates the default options.
    public init() {}

    /// Returns the URL of the file that receives the bytes of a download until it is complete.
    ///
    /// It is a hidden file beside the destination, with the name of the destination and the extension `part`. If the
    /// download can be resumed, a second file with the extension `info` holds the validator, the length, and the URL
    /// without its query. Only the user can read it. Delete both to discard a part.
    ///
    /// In a sandboxed Mac app that may write only the destination, the part is in the destination's item-replacement
    /// directory, and isn't kept.
    public static func partialFile(for destination: URL) -> URL {
        var name = destination.lastPathComponent
        // File systems permit 255 bytes, and the description's name has 11 more.
        while name.utf8.count > 244 { name.removeLast() }
        return destination.deletingLastPathComponent().appendingPathComponent(".\(name).part", isDirectory: false)
    }
}
