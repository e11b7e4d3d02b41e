/// An attached indicator. Dropping it detaches nothing.
public final class IndicatorAttachment: Sendable {
    let indicator: any ActivityIndicator
    private let tracker: TaskTracker

    init(_ indicator: any ActivityIndicator, tracker: TaskTracker) {
        self.indicator = indicator
        self.tracker = tracker
    }

    /// Ends the indicator's being told; a visible one is switched off at the next main turn. Any thread; idempotent.
    public func detach() {
        let (released, needsDelivery) = tracker.state.withLock { $0.outputs.detach(id: ObjectIdentifier(self)) }
        withExtendedLifetime(released) {}
        if needsDelivery { tracker.requestReconcile() }
    }
}
