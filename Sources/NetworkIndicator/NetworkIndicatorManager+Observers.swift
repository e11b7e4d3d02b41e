import Observation

extension NetworkIndicatorManager {
    /// Whether the indicator is on. Any thread.
    ///
    /// Observable: observe it on the main actor. Elsewhere use ``visibilityUpdates``. Observation loses updates if a value
    /// changes on one thread while another sets up its tracking.
    public var isIndicatorVisible: Bool {
        registrar.access(self, keyPath: \.isIndicatorVisible)
        return tracker.state.withLock { $0.observers.isVisible }
    }

    func withVisibilityMutation(_ mutation: () -> Void) {
        registrar.withMutation(of: self, keyPath: \.isIndicatorVisible, mutation)
    }

    /// The visibility of the indicator: the current value, then every change.
    ///
    /// Each access returns a new stream, for one listener. It buffers values without bound, and ends when the manager is
    /// deallocated. Any thread.
    public var visibilityUpdates: AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let attachment = IndicatorAttachment(StreamIndicator(continuation), tracker: tracker)
        continuation.onTermination = { [weak attachment] _ in attachment?.detach() }
        tracker.state.withLock { state in
            // No code iterates the stream yet, so this runs no foreign code under the lock.
            continuation.yield(state.observers.isVisible)
            _ = state.observers.attach(attachment, lastDelivered: state.observers.isVisible)
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
    public func attach(_ indicator: any ActivityIndicator) -> IndicatorAttachment {
        let new = IndicatorAttachment(indicator, tracker: tracker)
        let attachment = tracker.state.withLock { $0.observers.attach(new) }
        tracker.requestReconcile()
        return attachment
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
    public func attach(_ setVisible: @escaping @MainActor @Sendable (Bool) -> Void) -> IndicatorAttachment {
        attach(ClosureIndicator(setVisible))
    }

    /// Attaches a monitor. The manager holds it strongly until you detach it, or until the manager is deallocated.
    ///
    /// With a monitor, every poll examines every task, so that monitors receive each end within one interval. Each task
    /// that lasts longer than ``Configuration/longRunningTaskThreshold`` is reported once. Any thread.
    ///
    /// - Parameter monitor: Receives every event from now on.
    /// - Returns: An attachment, which can detach the monitor. Releasing the attachment does not detach it.
    @discardableResult
    public func addMonitor(_ monitor: any NetworkTaskMonitor) -> MonitorAttachment {
        let attachment = MonitorAttachment(monitor, tracker: tracker)
        tracker.state.withLock { $0.events.attach(attachment) }
        tracker.requestReconcile()
        return attachment
    }
}
