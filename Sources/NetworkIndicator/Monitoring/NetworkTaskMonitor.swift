/// Receives everything that happens to a manager's tasks and its indicator.
///
/// Attach one with ``NetworkIndicatorManager/addMonitor(_:)``, to log, to record, or to find what keeps the indicator on.
public protocol NetworkTaskMonitor: Sendable {
    /// Called for each event, one at a time, in the order in which they happened.
    ///
    /// The call comes on any thread, outside every lock, and possibly just after the call that caused the event has
    /// returned. It may call the manager, but must not wait for ``NetworkIndicatorManager/waitUntilIdle()``: that waits
    /// for the monitor.
    ///
    /// Return quickly. Calls for any task deliver events, on the main thread too. If events arrive faster than the monitor
    /// returns, a background thread takes over, and pending events accumulate in memory.
    func networkIndicator(_ event: NetworkTaskEvent)
}
