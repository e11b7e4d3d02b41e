public import Foundation

/// How a download treats its destination and the partial file beside it.
///
/// ```swift
/// var options = DownloadOptions()
/// options.keepsPartialFile = true  // a later call continues the file
/// options.maximumBytes = 1_000_000_000
/// let (file, _) = try await URLSession.shared.trackedDownload(
///     for: request, to: destination, options: options)
/// ```
public struct DownloadOptions: Sendable, Hashable {
    /// Whether an existing file at the destination is replaced. Default `true`.
    ///
    /// If it is `false`, a file that exists or appears meanwhile stays as it is, and the download throws
    /// ``DownloadError/file(_:url:code:)`` with `EEXIST`.
    public var replacesDestination = true

    /// The largest number of bytes that the file may have, or `nil` for any number. Default `nil`.
    ///
    /// The limit counts the bytes that are written: after decompression, and including a continued part. A longer file
    /// makes the download throw ``DownloadError/tooLarge(limit:)``.
    public var maximumBytes: Int64?

    /// The file that receives the bytes until they are complete. It must be on the volume of the destination.
    ///
    /// The default, `nil`, stands for a hidden file beside the destination, with a random name. If ``keepsPartialFile``
    /// is set, it stands for the destination's name with `.part` appended.
    public var partialFile: URL?

    /// Whether a download that fails or is cancelled keeps its partial file. A later call, even in another process, can
    /// then continue it. Default `false`.
    ///
    /// A part is kept only if the server sends a strong `ETag` and accepts ranges. A file with `.info` appended to the
    /// name of the partial file holds the `ETag` and the final URL. A later call continues the part only if its answer
    /// comes from the same URL and has the same `ETag`. Otherwise it starts over.
    public var keepsPartialFile = false

    /// Whether the first answer replaces an existing partial file, instead of continuing it.
    package var startsOver = false

    /// Creates the default options.
    public init() {}

    /// Returns ``partialFile`` or its default. Without ``keepsPartialFile``, the default has another random name each time.
    package func partialFile(for destination: URL) -> URL {
        if let partialFile { return partialFile }
        var name = destination.lastPathComponent
        // File systems permit 255 bytes. The name below adds at most 15 of them, and `.part.info` adds 10.
        while name.utf8.count > 240 { name.removeLast() }
        let partial = keepsPartialFile ? "\(name).part" : ".\(name).\(UUID().uuidString.prefix(8)).part"
        return destination.deletingLastPathComponent().appendingPathComponent(partial, isDirectory: false)
    }
}
