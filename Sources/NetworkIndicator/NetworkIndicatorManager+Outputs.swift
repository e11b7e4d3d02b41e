extension NetworkIndicatorManager {
    /// The visibility of the indicator: the current value, then every change.
    ///
    /// Each access returns a new stream, for one listener. It buffers values without bound, and ends when the manager is
    /// deallocated. Any thread.
    public var visibilityUpdates: AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let indicator = StreamIndicator(continuation)
        let attachment = Attachment(.indicator(indicator), tracker: tracker)
        continuation.onTermination = { [weak attachment] _ in attachment?.detach() }
        tracker.change { state in
            // No code iterates the stream yet, so this runs no foreign code under the lock.
            continuation.yield(state.visibility.isVisible)
            return state.attach(attachment, lastDelivered: state.visibility.isVisible)
        }
        return stream
    }

    /// Attaches an indicator. The manager holds it strongly until you detach it, or until the manager is deallocated.
    ///
    /// If the indicator is on, it receives `true` on the main thread's next turn. Attaching an attached indicator
    /// returns its attachment. Any thread.
    ///
    /// - Parameter indicator: Receives each change on the main actor.
    /// - Returns: An attachment, which can detach the indicator. Releasing the attachment does not detach it.
    @discardableResult
    public func attach(_ indicator: any ActivityIndicator) -> Attachment {
        attach(.indicator(indicator))
    }

    /// Attaches a closure as an indicator. The manager holds it until you detach it, or until the manager is
    /// deallocated.
    ///
    /// ```swift
    /// manager.attach { isVisible in print(isVisible ? "in use" : "idle") }
    /// ```
    ///
    /// The closure receives `true` and `false` in strict alternation, beginning with `true`. Any thread.
    ///
    /// - Parameter setVisible: Receives each change on the main actor.
    /// - Returns: An attachment, which can detach the closure. Releasing the attachment does not detach it.
    @discardableResult
    public func attach(_ setVisible: @escaping @MainActor @Sendable (Bool) -> Void) -> Attachment {
        attach(ClosureIndicator(setVisible))
    }

    /// Attaches a monitor. The manager holds it strongly until you detach it, or until the manager is deallocated.
    ///
    /// With a monitor, the manager regularly examines every task, so that monitors receive each end within
    /// ``Configuration/completionCheckInterval``. Each task that lasts longer than
    /// ``Configuration/longRunningTaskThreshold`` is reported once. Any thread.
    ///
    /// - Parameter monitor: Receives every event from now on.
    /// - Returns: An attachment, which can detach the monitor. Releasing the attachment does not detach it.
    @discardableResult
    public func addMonitor(_ monitor: any NetworkTaskMonitor) -> Attachment {
        attach(.monitor(monitor))
    }

    func attach(_ content: Attachment.Content) -> Attachment {
        let new = Attachment(content, tracker: tracker)
        return tracker.change { $0.attach(new) }
    }
}

extension NetworkIndicatorManager {
    /// An attached indicator or monitor, or the tracking of a client's notifications.
    ///
    /// The manager holds it until you detach it, or until the manager is deallocated. Releasing it does not detach it.
    public final class Attachment: Sendable {
        enum Content: Sendable {
            case indicator(any ActivityIndicator)
            case monitor(any NetworkTaskMonitor)
            case notifications(stop: @Sendable () -> Void)
        }

        let content: Content
        private let tracker: ActivityTracker

        init(_ content: Content, tracker: ActivityTracker) {
            self.content = content
            self.tracker = tracker
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
