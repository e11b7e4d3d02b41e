public import NetworkIndicator

/// An indicator that remembers what it was told.
///
/// ```swift
/// let indicator = RecordingIndicator()
/// manager.attach(indicator)
/// // … work, time …
/// #expect(indicator.history == [true, false])
/// ```
public final class RecordingIndicator: ActivityIndicator {
    private let told = Lock<[Bool]>([])

    /// Makes an indicator that has heard nothing yet. Anywhere.
    public nonisolated init() {}

    /// Everything the indicator was told, oldest first. Any thread.
    public nonisolated var history: [Bool] { told.withLock { $0 } }

    /// Whether the indicator is on: the last thing it was told, or `false`. Any thread.
    public nonisolated var isVisible: Bool { told.withLock { $0.last ?? false } }

    public func setVisible(_ isVisible: Bool) {
        told.withLock { $0.append(isVisible) }
    }
}
