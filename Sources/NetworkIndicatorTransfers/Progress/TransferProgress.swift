/// The progress of one transfer.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes received, after decompression, or sent. At least zero.
    ///
    /// For a resumed download, this includes the bytes received earlier. A download that starts over counts from zero.
    public let completedBytes: Int64

    /// The number of bytes of the whole transfer. `nil` if the server doesn't announce the number, or if the body is
    /// compressed.
    public let totalBytes: Int64?

    /// Whether no body data of the current response has arrived yet. If so, all completed bytes come from an earlier
    /// response.
    var isStart = false

    /// Creates a progress value.
    ///
    /// - Parameters:
    ///   - completedBytes: The number of bytes so far. A negative number counts as zero.
    ///   - totalBytes: The total number of bytes. A negative number, such as `NSURLSessionTransferSizeUnknown`, counts
    ///     as unknown. The total is at least `completedBytes`.
    public init(completedBytes: Int64, totalBytes: Int64? = nil) {
        self.completedBytes = max(0, completedBytes)
        self.totalBytes = totalBytes.flatMap { $0 < 0 ? nil : max($0, completedBytes) }
    }

    /// The progress from 0 to 1, or `nil` while the total is unknown. An empty transfer is complete.
    public var fractionCompleted: Double? {
        totalBytes.map { $0 == 0 ? 1 : Double(completedBytes) / Double($0) }
    }
}
