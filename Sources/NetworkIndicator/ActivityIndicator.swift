/// Shows whether the network is in use, for example with a spinner or a row in the terminal.
///
/// An attached indicator first receives the current visibility, even if that is `false`, and then each change. An
/// indicator may call the manager from ``setVisible(_:)``. If ``setVisible(_:)`` runs a nested run loop and the
/// visibility changes back meanwhile, other indicators can miss both changes.
///
/// Attach an indicator to only one manager, because several managers would turn it on and off independently.
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

@MainActor
package protocol ViewAdapter: ActivityIndicator {
    /// If this property is `true` after a call to `setVisible(_:)`, the manager detaches the indicator.
    var isViewDeallocated: Bool { get }
}
