extension NetworkIndicatorManager {
    /// Represents an attached indicator or monitor, or the observation of a client's notifications.
    ///
    /// The manager holds the attachment until you call ``detach()``, or until the manager is deallocated. Releasing the
    /// attachment doesn't detach the indicator or monitor.
    public final class Attachment: Sendable {
        enum Content: Sendable {
            case indicator(any ActivityIndicator)
            case monitor(any NetworkTaskMonitor)
            case stream(AsyncStream<Bool>.Continuation)
            case notifications(stop: @Sendable () -> Void)
        }

        let content: Content
        private let tracker: ActivityTracker

        init(_ content: Content, tracker: ActivityTracker) {
            self.content = content
            self.tracker = tracker
        }

        /// Passes a change to the stream, if this attachment has one.
        func yield(_ isVisible: Bool) {
            if case .stream(let continuation) = content { continuation.yield(isVisible) }
        }

        /// Detaches the indicator or monitor, or stops observing the notifications. Idempotent; any thread.
        ///
        /// A visible indicator is turned off on the main thread's next turn. A monitor may still receive earlier
        /// events. Tasks that began with a notification end when their objects are deallocated or finished.
        public func detach() {
            tracker.change { $0.detach(self) }
            if case .notifications(let stop) = content { stop() }
        }
    }
}
