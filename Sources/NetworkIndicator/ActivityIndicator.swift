/// Shows whether the network is in use, for example with a spinner or a row in the terminal.
///
/// An indicator attached with ``NetworkIndicatorManager/attach(_:)-(ActivityIndicator)`` first receives the current
/// value, even if it is `false`, and then each change. An indicator may call the manager from ``setVisible(_:)``. If
/// the indicator runs a nested run loop in that method, other indicators may miss pairs of changes that cancel each
/// other out.
///
/// Attach an indicator to one manager only. Several managers would turn the indicator on and off independently of each
/// other.
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
    /// - Parameter isVisible: Whether to show the indicator. While the indicator is attached, the manager never passes
    ///   the same value twice in a row.
    func setVisible(_ isVisible: Bool)
}

final class ClosureIndicator: ActivityIndicator {
    private let body: @MainActor @Sendable (Bool) -> Void

    nonisolated init(_ body: @escaping @MainActor @Sendable (Bool) -> Void) { self.body = body }

    func setVisible(_ isVisible: Bool) { body(isVisible) }
}

/// An indicator that shows a view without retaining it.
@MainActor
package protocol ViewAdapter: ActivityIndicator {
    /// Whether the view was deallocated. If it was, the manager detaches the indicator at the next change of
    /// visibility.
    var isViewDeallocated: Bool { get }
}
