/// Reports whether the device has a network.
///
/// After a failure, the request reads ``isOffline`` to decide whether to wait for a network. ``waitForChange()`` ends
/// that wait early. A monitor never prevents an attempt, because its reports can be wrong, for example behind VPNs and
/// captive portals, and in containers. Attempts continue at growing intervals regardless of the reports.
public protocol ConnectivityMonitor: Sendable {
    /// Whether certainly no network is available. A request reads this after a failure, to find the cause.
    var isOffline: Bool { get }

    /// Returns when the connectivity changes and a network may be available again, or when the task is cancelled.
    ///
    /// Changes before the call are ignored.
    func waitForChange() async
}
