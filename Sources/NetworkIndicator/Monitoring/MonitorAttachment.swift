/// An attached monitor. Releasing the attachment does not detach the monitor.
public final class MonitorAttachment: Sendable {
    let monitor: any NetworkTaskMonitor
    private let tracker: TaskTracker

    init(_ monitor: any NetworkTaskMonitor, tracker: TaskTracker) {
        self.monitor = monitor
        self.tracker = tracker
    }

    /// Detaches the monitor. It may still receive events that happened before. Idempotent; any thread.
    public func detach() {
        let released = tracker.state.withLock { $0.events.detach(self) }
        withExtendedLifetime(released) {}
    }
}
