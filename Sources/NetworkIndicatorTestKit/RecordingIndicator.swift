public import NetworkIndicator

/// An indicator that records its changes, for tests of code that uses a manager.
///
/// ```swift
/// let indicator = RecordingIndicator()
/// manager.attach(indicator)
/// // … the code under test …
/// #expect(indicator.history == [true, false])
/// ```
public final class RecordingIndicator: ActivityIndicator {
    private let values = Lock<[Bool]>([])

    /// Creates an indicator with an empty history.
    public nonisolated init() {}

    /// The received values, oldest first: `true` turns the indicator on, and `false` turns it off. A `false` before the
    /// first `true` isn't recorded.
    public nonisolated var history: [Bool] { values.withLock { $0 } }

    /// Whether the indicator is on.
    public nonisolated var isVisible: Bool { values.withLock { $0.last ?? false } }

    public func setVisible(_ isVisible: Bool) {
        values.withLock { if isVisible || !$0.isEmpty { $0.append(isVisible) } }
    }
}
