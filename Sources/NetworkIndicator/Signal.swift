/// Wakes a Swift task once.
package final class Signal: Sendable {
    private let (stream, continuation) = AsyncThrowingStream.makeStream(of: Never.self)

    package init() {}

    /// Only the first call has an effect. Call this method without holding a lock.
    package func send(throwing error: (any Error)? = nil) { continuation.finish(throwing: error) }

    /// Waits until another thread calls ``send(throwing:)``.
    ///
    /// - Throws: The error of the signal; `CancellationError` if the calling Swift task is cancelled.
    package func wait() async throws {
        for try await _ in stream {}
        try Task.checkCancellation()
    }
}
