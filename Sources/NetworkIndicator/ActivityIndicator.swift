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

    /// Called after the indicator was detached, or after its manager was deallocated. By default, this method does
    /// nothing.
    ///
    /// If the indicator was on, it first receives `false`. Use this method to end what the indicator does while it is
    /// off, such as a timer. If you attach the indicator again before this call, the manager omits the call.
    func didDetach()
}

extension ActivityIndicator {
    public func didDetach() {}
}

final class ClosureIndicator<Owner: AnyObject & Sendable>: ExpiringIndicator {
    private weak var owner: Owner?
    private let body: @MainActor @Sendable (Owner, Bool) -> Void

    nonisolated init(of owner: Owner, _ body: @escaping @MainActor @Sendable (Owner, Bool) -> Void) {
        (self.owner, self.body) = (owner, body)
    }

    var isExpired: Bool { owner == nil }

    func setVisible(_ isVisible: Bool) { if let owner { body(owner, isVisible) } }
}

/// An indicator that the manager detaches when the indicator can no longer show anything.
@MainActor
package protocol ExpiringIndicator: ActivityIndicator {
    /// The manager reads this property after each call to `setVisible(_:)`.
    var isExpired: Bool { get }
}
