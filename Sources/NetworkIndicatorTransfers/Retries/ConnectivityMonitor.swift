/// Reports whether the device has a network.
///
/// After a failure, a request asks its monitor whether it must wait for a network. The monitor also ends that wait early.
/// It never prevents an attempt, because it can be wrong, for example behind VPNs and captive portals, and in containers.
/// Attempts continue at growing intervals regardless of its reports.
public protocol ConnectivityMonitor: Sendable {
    /// Whether there is certainly no network. It is read after a failure, to find the cause.
    var isOffline: Bool { get }

    /// Returns when the connectivity changes and there may be a network again, or when the task is cancelled.
    ///
    /// Changes before the call are ignored.
    func waitForChange() async
}
