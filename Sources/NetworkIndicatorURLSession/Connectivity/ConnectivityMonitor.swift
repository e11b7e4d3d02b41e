/// Knows whether the device has a network, as far as that can be known.
///
/// It only ends a request's wait early. It gates no request, because it can be wrong (VPNs, captive portals,
/// containers): attempts go on at growing intervals whatever it says.
public protocol ConnectivityMonitor: Sendable {
    /// Whether there is certainly no network. Asked after a failure, to tell why.
    var isOffline: Bool { get }

    /// Returns at the next sign that the network may be back, or when the task is cancelled.
    ///
    /// Only what changes after the call is a sign.
    func waitForChange() async
}
