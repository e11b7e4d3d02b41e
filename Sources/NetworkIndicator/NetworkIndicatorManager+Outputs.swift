extension NetworkIndicatorManager {
    /// A stream of the indicator's visibility: the current value, and then each change. This property is thread-safe.
    ///
    /// Each access returns a new stream, which only one task can iterate. The stream buffers values without limit. When
    /// the manager is deallocated, the stream ends. If the indicator is on at that time, the last value is `false`.
    public var visibilityUpdates: AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let attachment = Attachment(.stream(continuation), tracker: tracker)
        continuation.onTermination = { [weak attachment] _ in attachment?.detach() }
        _ = tracker.change { state in
            // No code iterates the stream yet, so this call runs no foreign code while the lock is held.
            continuation.yield(state.visibility.isVisible)
            return state.attach(attachment)
        }
        return stream
    }

    /// Attaches an indicator. The manager holds it strongly until you detach it, or until the manager is deallocated.
    ///
    /// The indicator receives the current value on the main thread's next turn, even if that value is `false`. The
    /// indicator then receives each change. If the indicator is already attached, this method returns its attachment.
    /// This method is thread-safe.
    ///
    /// - Parameter indicator: The indicator, which receives the values on the main actor.
    /// - Returns: An attachment, which can detach the indicator. Releasing the attachment doesn't detach the indicator.
    @discardableResult
    public func attach(_ indicator: any ActivityIndicator) -> Attachment {
        attach(.indicator(indicator))
    }

    /// Attaches a closure as an indicator. The manager holds the closure until you detach it, or until the manager is
    /// deallocated.
    ///
    /// ```swift
    /// manager.attach { isVisible in print(isVisible ? "in use" : "idle") }
    /// ```
    ///
    /// The closure receives the current value on the main thread's next turn, even if that value is `false`. The
    /// closure then receives each change. This method is thread-safe.
    ///
    /// - Parameter setVisible: A closure that receives the values on the main actor.
    /// - Returns: An attachment, which can detach the closure. Releasing the attachment doesn't detach the closure.
    @discardableResult
    public func attach(_ setVisible: @escaping @MainActor @Sendable (Bool) -> Void) -> Attachment {
        attach(ClosureIndicator(setVisible))
    }

    /// Attaches a monitor. The manager holds it strongly until you detach it, or until the manager is deallocated.
    ///
    /// While a monitor is attached, the manager detects the end of each task within
    /// ``Configuration/completionCheckInterval``. It also notifies monitors once of each task that lasts for at least
    /// ``Configuration/longRunningTaskThreshold``. This method is thread-safe.
    ///
    /// - Parameter monitor: The monitor, which receives all later events.
    /// - Returns: An attachment, which can detach the monitor. Releasing the attachment doesn't detach the monitor.
    @discardableResult
    public func attach(_ monitor: any NetworkTaskMonitor) -> Attachment {
        attach(.monitor(monitor))
    }

    func attach(_ content: Attachment.Content) -> Attachment {
        let new = Attachment(content, tracker: tracker)
        return tracker.change { $0.attach(new) }
    }
}
