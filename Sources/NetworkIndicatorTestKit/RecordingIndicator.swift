public import NetworkIndicator

/// An indicator that records its changes.
///
/// ```swift
/// let indicator = RecordingIndicator()
/// manager.attach(indicator)
/// // … the code under test …
/// #expect(indicator.history == [true, false])
/// ```
public final class RecordingIndicator: ActivityIndicator {
    private let values = Lock<[Bool]>([])

    /// Creates an indicator without any changes. Any thread.
    public nonisolated init() {}

    /// All changes, oldest first: `true` if the indicator turned on, `false` if it turned off. The initial `false` that
    /// an indicator receives from an idle manager isn't recorded. Any thread.
    public nonisolated var history: [Bool] { values.withLock { $0 } }

    /// Whether the indicator is on, according to the latest change. Before the first change, the value is `false`. Any
    /// thread.
    public nonisolated var isVisible: Bool { values.withLock { $0.last ?? false } }

    public func setVisible(_ isVisible: Bool) {
        values.withLock { if isVisible || !$0.isEmpty { $0.append(isVisible) } }
    }
}
