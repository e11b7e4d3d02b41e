/// The progress of one transfer.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes received, after decompression, or sent. At least zero.
    ///
    /// For a resumed download, this includes the bytes received earlier. A download that starts over counts from zero.
    public let completedBytes: Int64

    /// The number of bytes of the whole transfer, or `nil` if the server doesn't announce it, or if the body is
    /// compressed.
    public let totalBytes: Int64?

    /// Whether nothing of the response has arrived yet, so that all completed bytes are of an earlier one.
    var isStart = false

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - completedBytes: The number of bytes so far. A negative number counts as zero.
    ///   - totalBytes: The number of bytes in all. A negative number, such as `NSURLSessionTransferSizeUnknown`, counts
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
