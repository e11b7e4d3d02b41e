/// An attached indicator. Releasing the attachment does not detach the indicator.
public final class IndicatorAttachment: Sendable {
    let indicator: any ActivityIndicator
    private let tracker: TaskTracker

    init(_ indicator: any ActivityIndicator, tracker: TaskTracker) {
        self.indicator = indicator
        self.tracker = tracker
    }

    /// Detaches the indicator. A visible indicator is switched off on the main thread's next turn. Idempotent; any
    /// thread.
    public func detach() {
        let (released, needsDelivery) = tracker.state.withLock { $0.observers.detach(self) }
        withExtendedLifetime(released) { if needsDelivery { tracker.requestReconcile() } }
    }
}
