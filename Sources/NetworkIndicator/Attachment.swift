extension NetworkIndicatorManager {
    /// An attached indicator or monitor, or the tracking of a client's notifications.
    ///
    /// The manager holds it until you detach it, or until the manager is deallocated. Releasing it does not detach it.
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

        /// Passes a change on, if this is a stream.
        func yield(_ isVisible: Bool) {
            if case .stream(let continuation) = content { continuation.yield(isVisible) }
        }

        /// Detaches the indicator or monitor, or stops observing the notifications. Idempotent; any thread.
        ///
        /// A visible indicator is switched off on the main thread's next turn. A monitor may still receive events that
        /// happened before. Tasks that notifications began end when their objects are deallocated or finished.
        public func detach() {
            tracker.change { $0.detach(self) }
            if case .notifications(let stop) = content { stop() }
        }
    }
}
