extension NetworkIndicatorManager {
    /// Represents an attached indicator or monitor, or the observation of notifications that
    /// ``NetworkIndicatorManager/trackTasks(begin:end:center:label:fileID:line:while:token:)`` started.
    ///
    /// An attachment retains its indicator or monitor. Releasing an attachment detaches nothing, so keep a reference
    /// only if you want to call ``detach()`` later.
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

        /// Detaches the indicator or monitor, or stops observing the notifications. This method is idempotent.
        ///
        /// If a detached indicator is on, the manager turns it off asynchronously. The manager then calls
        /// ``ActivityIndicator/didDetach()``. A detached monitor may still receive events that occurred before the
        /// call. Tasks that began with a notification remain tracked.
        public func detach() {
            tracker.change { $0.detach(self) }
            if case .stream(let continuation) = content { continuation.finish() }
            if case .notifications(let stop) = content { stop() }
        }
    }
}
