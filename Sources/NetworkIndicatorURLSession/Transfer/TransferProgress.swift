/// How far a transfer has come.
///
/// A download counts the bytes that it has written to the file. A continued download starts at its offset, and one
/// that starts over goes back to zero. An upload counts the bytes of the body that were handed to the network.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes transferred so far.
    public var completedBytes: Int64

    /// The number of bytes of the whole transfer, or `nil` if it is unknown.
    ///
    /// The total comes from `Content-Length` or `Content-Range`. It is unknown for a compressed body, because the
    /// header counts the bytes before decompression.
    public var totalBytes: Int64?

    /// The completed part of the transfer, from 0 to 1, or `nil` if the total is unknown. An empty transfer is complete.
    public var fractionCompleted: Double? {
        totalBytes.map { $0 > 0 ? min(1, max(0, Double(completedBytes) / Double($0))) : 1 }
    }

    /// Creates a progress value.
    ///
    /// - Parameters:
    ///   - completedBytes: The number of bytes transferred so far.
    ///   - totalBytes: The number of bytes of the whole transfer, or `nil` if it is unknown.
    public init(completedBytes: Int64, totalBytes: Int64? = nil) {
        self.completedBytes = completedBytes
        self.totalBytes = totalBytes
    }
}
