extension NetworkIndicatorManager {
    /// The visibility of the indicator: the current value, then every change.
    ///
    /// Each access returns a new stream, for one listener. It buffers values without bound, and ends when the manager is
    /// deallocated. Any thread.
    public var visibilityUpdates: AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let attachment = Attachment(.stream(continuation), tracker: tracker)
        continuation.onTermination = { [weak attachment] _ in attachment?.detach() }
        _ = tracker.change { state in
            // No code iterates the stream yet, so this runs no foreign code under the lock.
            continuation.yield(state.visibility.isVisible)
            return state.attach(attachment)
        }
        return stream
    }

    /// Attaches an indicator. The manager holds it strongly until you detach it, or until the manager is deallocated.
    ///
    /// The indicator receives the current value on the main thread's next turn, also `false`, and then each change.
    /// Attaching an attached indicator returns its attachment. Any thread.
    ///
    /// - Parameter indicator: Receives the values on the main actor.
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
    /// The closure receives the current value on the main thread's next turn, also `false`, and then each change. Any
    /// thread.
    ///
    /// - Parameter setVisible: Receives the values on the main actor.
    /// - Returns: An attachment, which can detach the closure. Releasing the attachment does not detach it.
    @discardableResult
    public func attach(_ setVisible: @escaping @MainActor @Sendable (Bool) -> Void) -> Attachment {
        attach(ClosureIndicator(setVisible))
    }

    /// Attaches a monitor. The manager holds it strongly until you detach it, or until the manager is deallocated.
    ///
    /// With a monitor, polls examine every task, so that monitors receive each end within
    /// ``Configuration/completionCheckInterval``. Each task that lasts longer than
    /// ``Configuration/longRunningTaskThreshold`` is reported once. Any thread.
    ///
    /// - Parameter monitor: Receives every event from now on.
    /// - Returns: An attachment, which can detach the monitor. Releasing the attachment does not detach it.
    @discardableResult
    public func attach(_ monitor: any NetworkTaskMonitor) -> Attachment {
        attach(.monitor(monitor))
    }

    func attach(_ content: Attachment.Content) -> Attachment {
        let new = Attachment(content, tracker: tracker)
        return tracker.change { $0.attach(new) }
    }
}
