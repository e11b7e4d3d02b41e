/// Shows whether the network is in use: a spinner, a status bar, a terminal row, a test double.
///
/// An indicator attached with ``NetworkIndicatorManager/attach(_:)-(ActivityIndicator)`` receives `true` and `false` in
/// strict alternation, beginning with `true`. It may call the manager from ``setVisible(_:)``.
///
/// ```swift
/// @MainActor
/// final class TitleIndicator: ActivityIndicator {
///     private(set) var title = "Ready"
///     nonisolated init() {}
///     func setVisible(_ isVisible: Bool) {
///         title = isVisible ? "Loading…" : "Ready"
///     }
/// }
/// ```
@MainActor
public protocol ActivityIndicator: AnyObject, Sendable {
    /// Shows or hides the indicator.
    ///
    /// - Parameter isVisible: `true` to show it, `false` to hide it; never the same value twice in a row.
    func setVisible(_ isVisible: Bool)
}

/// A closure as an indicator.
final class ClosureIndicator: ActivityIndicator {
    private let body: @MainActor @Sendable (Bool) -> Void

    nonisolated init(_ body: @escaping @MainActor @Sendable (Bool) -> Void) { self.body = body }

    func setVisible(_ isVisible: Bool) { body(isVisible) }
}

/// A stream as an indicator. The stream ends with the manager.
final class StreamIndicator: ActivityIndicator {
    private let continuation: AsyncStream<Bool>.Continuation

    nonisolated init(_ continuation: AsyncStream<Bool>.Continuation) { self.continuation = continuation }

    func setVisible(_ isVisible: Bool) { continuation.yield(isVisible) }

    /// Yields `false` if the last value was `true`, and ends the stream. Any thread may call this, because no other
    /// code yields values any more.
    nonisolated func finish(lastDelivered: Bool) {
        if lastDelivered { continuation.yield(false) }
        continuation.finish()
    }
}
