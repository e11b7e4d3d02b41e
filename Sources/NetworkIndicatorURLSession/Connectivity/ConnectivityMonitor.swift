/// Reports whether the device has a network.
///
/// A monitor only ends a request's wait early. It never prevents a request, because it can be wrong: behind VPNs, captive
/// portals and in containers. Attempts continue at growing intervals whatever it reports.
public protocol ConnectivityMonitor: Sendable {
    /// Whether there is certainly no network. Read after a failure, to find its cause.
    var isOffline: Bool { get }

    /// Returns at the next change after which there may be a network again, or when the task is cancelled.
    ///
    /// Changes before the call don't count.
    func waitForChange() async
}
