public import NetworkIndicator

/// An indicator that records when it turns on and off, for tests of code that uses a manager.
///
/// ```swift
/// let indicator = RecordingIndicator()
/// manager.attach(indicator)
/// // … the code under test …
/// #expect(indicator.history == [true, false])
/// ```
public final class RecordingIndicator: ActivityIndicator {
    private let values = Lock<[Bool]>([])

    /// Creates an indicator that has recorded no changes. Any thread.
    public nonisolated init() {}

    /// All changes, oldest first: `true` if the indicator turned on, `false` if it turned off. An initial `false`,
    /// which the indicator receives when you attach it to an idle manager, isn't recorded. Any thread.
    public nonisolated var history: [Bool] { values.withLock { $0 } }

    /// Whether the indicator is on: the latest change, or `false` before the first change. Any thread.
    public nonisolated var isVisible: Bool { values.withLock { $0.last ?? false } }

    public func setVisible(_ isVisible: Bool) {
        values.withLock { if isVisible || !$0.isEmpty { $0.append(isVisible) } }
    }
}
