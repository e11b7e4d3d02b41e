public import Foundation

/// The options for a download's destination and partial file.
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
    /// If this is `false`, an existing file is left unchanged, and the download throws
    /// ``DownloadError/file(_:url:code:)`` with `EEXIST`. If the file appears during the download, the download throws
    /// ``DownloadError/notMoved(url:destination:code:)``.
    ///
    /// Only a regular file, or a link to one, is ever replaced. For a directory, the code of the error is `EISDIR`. For
    /// anything else, such as a device, a pipe or a link whose target is missing, the code is `ENXIO`.
    public var replacesDestination = true

    /// The largest number of bytes that the file may have, or `nil` for any number. Default `nil`.
    ///
    /// The limit applies to the bytes that are written: after decompression, and including a resumed part. If the file
    /// is longer, the download throws ``DownloadError/tooLarge(limit:)``.
    public var maximumBytes: Int64?

    /// Whether a download keeps its partial file if the download fails, is cancelled, or ends with its process. Default
    /// `true`.
    ///
    /// The next download to the same destination resumes from the part, even in another process. Without the part, a
    /// lost network or Ctrl-C would discard all received bytes. Each destination has one part, ``partialFile(for:)``,
    /// so repeated failures don't accumulate parts. A successful download leaves no part.
    ///
    /// A download is resumed only if the whole file comes from one version of the resource:
    /// - The server accepts ranges, announces the length, and sends a strong validator. A strong `ETag` is a strong
    ///   validator. If the response has no `ETag` and its URL has no query, a `Last-Modified` at least one minute
    ///   before the `Date` is also a strong validator.
    /// - The later response has the same validator and length. After redirects, it comes from the same URL, except that
    ///   the query may differ.
    ///
    /// Otherwise the download starts over and replaces the part. ``AttemptEvent/receiving(isResumable:isVerifiable:)``
    /// reports whether the download can be resumed. The part of a download that can't be resumed remains only if the
    /// process is killed.
    ///
    /// If this is `false`, the part is removed, and an existing part is replaced.
    public var keepsPartialFile = true

    /// Creates the default options.
    public init() {}

    /// Returns the URL of the file that receives the bytes of a download until the download is complete.
    ///
    /// The partial file is a hidden file beside the destination, with the name of the destination and the extension
    /// `part`. If the download can be resumed, a second file with the extension `info` holds the validator, the length,
    /// and the URL without its query. Only the user can read the second file. To discard a part, delete both files.
    ///
    /// In a sandboxed Mac app that may write only the destination, the part is in the destination's item-replacement
    /// directory. Such a part isn't kept.
    public static func partialFile(for destination: URL) -> URL {
        var name = destination.lastPathComponent
        // File systems permit names of 255 bytes, and the name of the description is 11 bytes longer than this name.
        while name.utf8.count > 244 { name.removeLast() }
        return destination.deletingLastPathComponent().appendingPathComponent(".\(name).part", isDirectory: false)
    }
}
