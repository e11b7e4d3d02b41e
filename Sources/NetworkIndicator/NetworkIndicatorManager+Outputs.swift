extension NetworkIndicatorManager {
    /// A stream of the indicator's visibility: the current value, and then each change.
    ///
    /// Each access returns a new stream for a single consumer. The stream buffers values without limit. When the
    /// manager is deallocated, the stream yields `false` if the indicator is on, and then ends.
    public var visibilityUpdates: AsyncStream<Bool> {
        tracker.noteObserver()
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let attachment = Attachment(.stream(continuation), tracker: tracker)
        continuation.onTermination = { [weak attachment] _ in attachment?.detach() }
        _ = tracker.change { state in
            // No code iterates the stream yet, so `yield` doesn't run a caller's code while the lock is held.
            continuation.yield(state.visibility.isVisible)
            return state.attach(attachment)
        }
        return stream
    }

    /// Attaches an indicator.
    ///
    /// The manager retains the indicator until you detach it, or until the manager is deallocated. When the visibility
    /// changes, the manager also detaches a `SpinnerIndicator` whose views have been deallocated.
    ///
    /// The indicator asynchronously receives the current visibility, even if that is `false`, and then each change. If
    /// the indicator is already attached, this method returns the existing attachment.
    ///
    /// - Returns: The attachment, whose ``Attachment/detach()`` method detaches the indicator.
    @discardableResult
    public func attach(_ indicator: any ActivityIndicator) -> Attachment {
        tracker.noteObserver()
        return attach(.indicator(indicator))
    }

    /// Attaches a closure as an indicator.
    ///
    /// ```swift
    /// manager.attach { isVisible in print(isVisible ? "in use" : "idle") }
    /// ```
    ///
    /// The manager retains the closure until you detach it, or until the manager is deallocated. Like an indicator, the
    /// closure receives the current visibility and then each change, on the main actor.
    @discardableResult
    public func attach(_ setVisible: @escaping @MainActor @Sendable (Bool) -> Void) -> Attachment {
        attach(to: tracker) { _, isVisible in setVisible(isVisible) }
    }

    /// Attaches a closure as an indicator, until an owner such as a view controller is deallocated.
    ///
    /// ```swift
    /// @MainActor
    /// final class Screen {
    ///     private(set) var title = "Feed"
    ///
    ///     init() {
    ///         manager.attach(to: self) { screen, isVisible in
    ///             screen.title = isVisible ? "Updating…" : "Feed"
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// The manager holds the owner weakly. After the owner is deallocated, the closure isn't called again, and the
    /// manager releases it at the next change of the visibility. The closure must not capture the owner, because the
    /// manager retains the closure. In all other respects, the closure is attached like any closure, and receives the
    /// owner too.
    @discardableResult
    public func attach<Owner: AnyObject & Sendable>(
        to owner: Owner, _ setVisible: @escaping @MainActor @Sendable (Owner, Bool) -> Void
    ) -> Attachment {
        attach(ClosureIndicator(of: owner, setVisible))
    }

    /// Attaches a monitor, which receives all later events.
    ///
    /// The manager retains the monitor until you detach it, or until the manager is deallocated. While a monitor is
    /// attached, each poll examines every task.
    @discardableResult
    public func attach(monitor: any NetworkTaskMonitor) -> Attachment { attach(.monitor(monitor)) }

    func attach(_ content: Attachment.Content) -> Attachment {
        let new = Attachment(content, tracker: tracker)
        return tracker.change { $0.attach(new) }
    }
}
