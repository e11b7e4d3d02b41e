/// Shows whether the network is in use: a spinner, a status bar, a terminal row, a test double.
///
/// An indicator attached with ``NetworkIndicatorManager/attach(_:)-(ActivityIndicator)`` first receives the current
/// value, also `false`, and then each change. It may call the manager from ``setVisible(_:)``. If it runs a nested run
/// loop there, other indicators may miss two changes that cancel each other.
///
/// Attach an indicator to one manager only: each manager would switch it without regard to the others.
///
/// ```swift
/// @MainActor
/// final class TitleIndicator: ActivityIndicator {
///     private(set) var title = ""
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

/// An indicator that shows a view without retaining it.
@MainActor
package protocol ViewAdapter: ActivityIndicator {
    /// Whether the view was deallocated. The manager then detaches the indicator at its next change.
    var isViewDeallocated: Bool { get }
}
