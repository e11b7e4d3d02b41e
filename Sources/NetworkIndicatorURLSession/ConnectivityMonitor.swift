/// Reports whether a network is available.
///
/// A monitor never prevents an attempt, because its reports can be wrong, for example behind VPNs and captive portals.
/// During an offline wait, attempts continue at growing intervals even if the monitor reports no change.
public protocol ConnectivityMonitor: AnyObject, Sendable {
    /// Whether it is certain that no network is available.
    ///
    /// If an attempt fails before it receives a response, a request may read this property, on any thread, to decide
    /// whether to wait for a network.
    var isOffline: Bool { get }

    /// Returns when the connectivity has changed and a network may be available, or when the calling Swift task is
    /// cancelled.
    ///
    /// A request calls this method during an offline wait, and ends the wait when the method returns, but not within
    /// the first 100 ms. An implementation should ignore changes that occurred before the call.
    func waitForChange() async
}
