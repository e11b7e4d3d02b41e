public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Options for the destination, the length and the partial file of a download.
///
/// ```swift
/// var options = DownloadOptions()
/// options.existingFile = .skip
/// options.maximumBytes = 1_000_000_000
/// let (file, _) = try await URLSession.shared.trackedDownload(
///     for: request, to: destination, options: options)
/// ```
public struct DownloadOptions: Sendable, Hashable {
    /// The treatment of a file that exists at the destination.
    public enum ExistingFile: Sendable, Hashable {
        /// The download throws ``DownloadError/file(_:url:code:)`` with the code `EEXIST`, before it sends a request.
        case fail
        /// The download replaces the file when it is complete. The new file has the permissions of the replaced file.
        /// For a symbolic link, the link itself is replaced, not its target.
        case replace
        /// The call sends no request, and returns the URL of the file, whatever the file contains. The response is a
        /// `URLResponse` with the length of the file, and no `HTTPURLResponse`.
        case skip
    }

    /// The treatment of a file that exists at the destination at the start. Default `replace`.
    ///
    /// Only regular files, and symbolic links to regular files, are replaced or skipped.
    ///
    /// Unless this property is `replace`, the download throws ``DownloadError/notMoved(url:destination:code:)`` if the
    /// destination appears later. On a file system that can't rename a file without replacing another one, this check
    /// and the move are two steps. A file that another program creates between these steps is replaced.
    public var existingFile = ExistingFile.replace

    /// The largest number of bytes that the file may have. Default `nil`, for no limit.
    ///
    /// The limit applies to the decompressed bytes, including those of a resumed part. If the file is longer, the
    /// download throws ``DownloadError/tooLarge(limit:)``.
    public var maximumBytes: Int64?

    /// Whether a resumable download keeps its partial file if the download fails or is cancelled, or if the process
    /// ends. Default `true`.
    ///
    /// The next download to the same destination resumes from the partial file, even in another process. If the process
    /// ended during the download, only a file with a total length of more than 1 MB can be resumed. A download is
    /// resumed only if these conditions are met:
    /// - The request is a GET without a `Range`, for the same URL, including its query.
    /// - The first response has the status 200 and a strong `ETag`, isn't compressed, announces its length, and has
    ///   `Accept-Ranges: bytes`. A `Last-Modified` doesn't suffice.
    /// - The next response has the status 206, isn't compressed, and contains the whole requested range. It has the
    ///   same `ETag`, the same total length and, apart from the query, the same URL after redirects.
    ///
    /// If a condition isn't met, the download starts over and replaces the part. After an error status other than 416,
    /// the download keeps the part instead. It also keeps the part if a response comes from another URL, and lacks
    /// the same `ETag`. In this case, which a captive portal can cause, the download throws
    /// ``DownloadError/unrelatedResponse(_:part:)``.
    ///
    /// If this property is `false`, the download discards an existing part, and doesn't keep its own part.
    public var keepsPartialFile = true

    /// Creates the default options.
    public init() {}

    /// Returns the URL of the file that receives the bytes of a download until the download is complete.
    ///
    /// The partial file is a hidden file beside the destination, with the name of the destination and the extension
    /// `part`. A destination name of more than 244 bytes is truncated before its extension. For a download that can be
    /// resumed, there may be a second file beside the partial file, with the same name and the additional extension
    /// `info`. The second file holds the `ETag`, the total length, and hashes of the URLs before and after redirects.
    /// To discard a part, delete both files. Backups can contain them.
    ///
    /// If the process is killed, a part can remain that can't be resumed, even an empty one. The next download to the
    /// same destination replaces such a part. A part of another user is never resumed or replaced: the download throws
    /// ``DownloadError/file(_:url:code:)``.
    public static func partialFile(for destination: URL) -> URL {
        // Common file systems permit names of up to 255 bytes, and `.`, `.part` and `.info` take 11 bytes.
        let name = destination.lastPathComponent.truncatedFilename(toBytes: 244)
        return URL(filePath: "\(destination.directoryPath).\(name).part", directoryHint: .notDirectory)
    }

    /// Returns the number of bytes that a download of the request would resume, or zero. The call reads the partial
    /// file and its description, and may therefore block.
    ///
    /// After a failed download, the result tells whether the next one starts over. Before a download, pass the result
    /// as `completedBytes` to ``/NetworkIndicatorProgress/TransferMeter/beginTransfer(label:file:completedBytes:)``.
    ///
    /// - Parameters:
    ///   - request: The request of the download.
    ///   - destination: The destination of the download, which can be a directory.
    public static func resumableBytes(for request: URLRequest, to destination: URL) -> Int64 {
        let part = partialFile(for: destination.file(for: request))
        guard let status = part.status(followsLinks: false), let point = ResumePoint(for: part) else { return 0 }
        let length = point.resumableLength(of: Int64(status.st_size))
        return point.resuming(request, after: length) == nil ? 0 : length
    }
}
