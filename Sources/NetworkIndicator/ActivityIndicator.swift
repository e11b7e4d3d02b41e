/// Something that shows whether the network is in use: a status bar, a spinner, a terminal line, a test double.
///
/// An indicator attached with ``NetworkIndicatorManager/attach(_:)`` hears `true` and `false` strictly in turn,
/// beginning with `true`, and the last thing it heard is the truth. It may call the manager from ``setVisible(_:)``.
///
/// ```swift
/// @MainActor
/// final class TitleIndicator: ActivityIndicator {
///     private(set) var title = "Ready"
///     nonisolated init() {}
///     func setVisible(_ isVisible: Bool) { title = isVisible ? "Loading…" : "Ready" }
/// }
/// ```
@MainActor
public protocol ActivityIndicator: AnyObject, Sendable {
    /// Shows or hides the indicator.
    ///
    /// - Parameter isVisible: `true` to show it, `false` to hide it; never the same value twice in a row.
    func setVisible(_ isVisible: Bool)
}
