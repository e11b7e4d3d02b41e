import Foundation
import NetworkIndicator

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

/// Detects changes in the system's connectivity, with `NWPathMonitor` on Apple's platforms and a netlink socket on
/// Linux. On Apple's platforms, ``isOffline`` is always `false`, because URLSession's error codes already show whether
/// the device is offline. On watchOS, there is no monitor, because `NWPathMonitor` doesn't report a watch's network.
/// Offline waits there end only at the next attempt.
///
/// On Linux, the machine is offline if it has no route to the internet. In an internal network without such a route, a
/// failed attempt that received nothing is therefore followed by an offline wait instead of a retry.
///
/// Monitoring begins with the first call to ``waitForChange()`` in the process.
public final class SystemConnectivityMonitor: ConnectivityMonitor {
    private static let waiters = Lock<[UUID: Signal]>([:])
    private static let source = ConnectivitySource {
        for waiter in waiters.withLock({ $0 }).values { waiter.send() }
    }

    fileprivate static let shared = SystemConnectivityMonitor()

    private init() {}

    public var isOffline: Bool { ConnectivitySource.isOffline }

    public func waitForChange() async {
        let (id, waiter) = (UUID(), Signal())
        Self.waiters.withLock { $0[id] = waiter }
        _ = Self.source
        try? await waiter.wait()
        Self.waiters.withLock { $0[id] = nil }
    }
}

extension ConnectivityMonitor where Self == SystemConnectivityMonitor {
    /// The monitor of the system's connectivity.
    public static var system: SystemConnectivityMonitor { .shared }
}
