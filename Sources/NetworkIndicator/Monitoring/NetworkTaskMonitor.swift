/// Receives the events of a manager's tasks and of its indicator.
///
/// Attach a monitor with ``NetworkIndicatorManager/addMonitor(_:)``, for example to log events or to find the task that
/// keeps the indicator on.
public protocol NetworkTaskMonitor: Sendable {
    /// Receives an event. Events arrive one at a time, in the order in which they happened.
    ///
    /// The manager calls this on any thread, outside every lock. The call that caused the event may already have
    /// returned. A monitor may call the manager, but must not wait for ``NetworkIndicatorManager/waitUntilIdle()``, which
    /// waits for the monitor.
    ///
    /// Return quickly: any call of the manager may deliver events, even on the main thread. If events arrive faster
    /// than the monitor returns, a background thread takes over, and pending events accumulate in memory.
    func networkIndicator(_ event: NetworkTaskEvent)
}

/// Events for the monitors that were attached when they happened.
struct MonitorEvents {
    enum Content {
        case event(NetworkTaskEvent)
        /// The end of every task in a registry. Delivery creates one event for each task, outside the lock.
        case reset(TaskRegistry)
    }

    private let content: Content
    private let monitors: [NetworkIndicatorManager.Attachment]

    init(_ content: Content, monitors: [NetworkIndicatorManager.Attachment]) {
        self.content = content
        self.monitors = monitors
    }

    /// Notifies the monitors, outside every lock.
    func deliver() {
        switch content {
        case .event(let event): notify(event)
        case .reset(let tasks): tasks.forEachRecord { notify(.ended(NetworkTaskInfo($0), .reset)) }
        }
    }

    private func notify(_ event: NetworkTaskEvent) {
        for attachment in monitors { attachment.monitor?.networkIndicator(event) }
    }
}
