import NetworkIndicator

/// The progress of one transfer.
public struct TransferProgress: Sendable, Hashable, CustomStringConvertible {
    /// The number of bytes sent or received. Received bytes are counted after decompression.
    ///
    /// For a resumed download, this includes the bytes received earlier. A download that starts over counts from zero.
    public let completedBytes: Int64

    /// The total number of bytes, or `nil` if it is unknown, for example because the body is compressed.
    public let totalBytes: Int64?

    /// Creates a progress value.
    ///
    /// - Parameters:
    ///   - completedBytes: The number of bytes so far. A negative number counts as zero.
    ///   - totalBytes: The total number of bytes, raised to `completedBytes` if it is smaller. A negative number, such
    ///     as `NSURLSessionTransferSizeUnknown`, counts as `nil`.
    public init(completedBytes: Int64, totalBytes: Int64? = nil) {
        self.completedBytes = max(0, completedBytes)
        self.totalBytes = totalBytes.flatMap { $0 < 0 ? nil : max($0, completedBytes) }
    }

    /// The progress from 0 to 1, or `nil` while the total is unknown. The fraction is 1 only if all bytes are complete.
    public var fractionCompleted: Double? {
        // The quotient of two very large numbers could be rounded to 1.
        totalBytes.map { isComplete ? 1 : min(Double(completedBytes) / Double($0), 1.0.nextDown) }
    }

    package var isComplete: Bool { completedBytes == totalBytes }

    /// The bytes as text, such as `24.1 of 62.6 MB`.
    public var description: String { ProgressText.bytes(completedBytes, of: totalBytes) }
}
