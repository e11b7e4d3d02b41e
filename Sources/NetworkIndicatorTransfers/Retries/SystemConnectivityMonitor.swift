import Foundation
import NetworkIndicator

/// Detects changes in the system's connectivity, with `NWPathMonitor` on Apple's platforms and a netlink socket on
/// Linux. On Apple's platforms, ``isOffline`` is always `false`, because URLSession's error codes already show whether
/// the device is offline. On watchOS, there is no monitor, because `NWPathMonitor` doesn't report a watch's network.
/// Offline waits there end only at the next attempt.
///
/// On Linux, the machine is offline if it has no default route.
///
/// Monitoring begins with the first call to ``waitForChange()`` in the process.
public final class SystemConnectivityMonitor: ConnectivityMonitor {
    private static let waiters = Lock<[UUID: AsyncStream<Void>.Continuation]>([:])
    private static let source = ConnectivitySource {
        for waiter in waiters.withLock({ $0 }).values { waiter.yield() }
    }

    fileprivate init() {}

    public var isOffline: Bool { ConnectivitySource.isOffline }

    public func waitForChange() async {
        let (changes, waiter) = AsyncStream.makeStream(of: Void.self)
        let id = UUID()
        Self.waiters.withLock { $0[id] = waiter }
        _ = Self.source
        for await _ in changes { break }
        Self.waiters.withLock { $0[id] = nil }
    }
}

extension ConnectivityMonitor where Self == SystemConnectivityMonitor {
    /// The monitor of the system's connectivity.
    public static var system: SystemConnectivityMonitor { SystemConnectivityMonitor() }
}
