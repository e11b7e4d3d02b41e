public import Foundation

/// How a download treats its destination and the partial file beside it.
///
/// ```swift
/// var options = DownloadOptions()
/// options.keepsPartialFile = true  // a later call resumes the file
/// options.maximumBytes = 1_000_000_000
/// let (file, _) = try await URLSession.shared.trackedDownload(
///     for: request, to: destination, options: options)
/// ```
public struct DownloadOptions: Sendable, Hashable {
    /// Whether an existing file at the destination is replaced. Default `true`.
    ///
    /// If it is `false`, an existing file stays as it is, and the download throws ``DownloadError/file(_:url:code:)`` with
    /// `EEXIST`. If the file appears during the download, it throws ``DownloadError/notMoved(url:destination:code:)``.
    public var replacesDestination = true

    /// The largest number of bytes that the file may have, or `nil` for any number. Default `nil`.
    ///
    /// The limit counts the bytes that are written: after decompression, and including a resumed part. A longer file
    /// makes the download throw ``DownloadError/tooLarge(limit:)``.
    public var maximumBytes: Int64?

    /// The file that receives the bytes until they are complete. It must be on the volume of the destination.
    ///
    /// The default, `nil`, stands for a hidden file beside the destination, with a random name. On Apple's platforms it is
    /// in the item-replacement directory of the destination, where sandboxed apps may write. If ``keepsPartialFile`` is
    /// set, `nil` stands for the destination's name with `.part` appended.
    public var partialFile: URL?

    /// Whether a download that fails or is cancelled keeps its partial file. A later call, even in another process, can
    /// then resume it. Default `false`.
    ///
    /// A part is kept only if the server accepts ranges and sends a strong validator. That is a strong `ETag`, or no
    /// `ETag` and a `Last-Modified` at least one minute before its `Date`. ``AttemptEvent/receiving(isResumable:)``
    /// reports whether a part can be resumed. The validator and the URLs are stored in a second file, named like the
    /// partial file with `.info` appended.
    ///
    /// A later call resumes the part only if its response comes from the same URL and has the same validator. Otherwise
    /// it starts over. A part that is already complete is moved to the destination without a request. The response then
    /// has only the headers that were kept with the part.
    public var keepsPartialFile = false

    /// Whether the first response replaces an existing partial file, instead of resuming it.
    package var startsOver = false

    /// An open file, such as a pipe, that receives the bytes as they arrive, instead of the destination. A download
    /// that has written to it can be resumed, but fails with `ESPIPE` if it has to start over.
    package var stream: Int32?

    /// Creates the default options.
    public init() {}

    /// Returns ``partialFile`` or its default. Without ``keepsPartialFile``, the default has a new random name each
    /// time.
    package func partialFile(for destination: URL) -> URL {
        if let partialFile { return partialFile }
        var name = destination.lastPathComponent
        // File systems permit 255 bytes. The name below adds at most 15 of them, and `.part.info` adds 10.
        while name.utf8.count > 240 { name.removeLast() }
        let partial = keepsPartialFile ? "\(name).part" : ".\(name).\(UUID().uuidString.prefix(8)).part"
        return destination.deletingLastPathComponent().appendingPathComponent(partial, isDirectory: false)
    }
}
