import Foundation
import NetworkIndicator
public import NetworkIndicatorURLSession

/// The monitor of a ``TrackedRetryPolicy``. The protocol belongs to the module that tracks URLSession tasks, so that
/// tests can use a monitor without this module.
public typealias ConnectivityMonitor = NetworkIndicatorURLSession.ConnectivityMonitor

/// Detects changes in the system's connectivity.
///
/// On Apple's platforms, `NWPathMonitor` reports changes, and ``isOffline`` is always `false`, because URLSession's
/// error codes already show whether the device is offline. On watchOS, `NWPathMonitor` doesn't report a watch's
/// network, so offline waits end only at the next attempt.
///
/// On Linux, the machine is offline if it has no route to the internet, and a call to ``waitForChange()`` looks for a
/// route twice a second. In an internal network without such a route, a failed attempt that received nothing is
/// therefore followed by an offline wait instead of a retry.
public final class SystemConnectivityMonitor: ConnectivityMonitor {
    fileprivate static let shared = SystemConnectivityMonitor()

    private let paths: PathMonitor.Source?

    init(_ paths: PathMonitor.Source? = PathMonitor.system) { self.paths = paths }

    public func waitForChange() async {
        guard let paths else {
            repeat { try? await Task.sleep(for: Self.interval) } while isOffline && !Task.isCancelled
            return
        }
        let change = Signal()
        let monitor = PathMonitor(paths) { change.send() }
        try? await change.wait()
        withExtendedLifetime(monitor) {}
    }

    #if os(Linux)
    static let longestPause = Duration.seconds(30)
    private static let interval = Duration.milliseconds(500)

    /// A failed name lookup doesn't show whether the machine is offline. The addresses belong to root servers of the
    /// DNS.
    public var isOffline: Bool { !hasRoute(to: "198.41.0.4") && !hasRoute(to: "2001:503:ba3e::2:30") }

    /// Connecting a datagram socket sends nothing, but the kernel looks for a route, in all tables that its rules name.
    private func hasRoute(to address: String) -> Bool {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, "53", &hints, &list) == 0, let info = list?.pointee else { return true }
        defer { freeaddrinfo(list) }
        let descriptor = socket(info.ai_family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return errno != EAFNOSUPPORT }
        defer { close(descriptor) }
        return connect(descriptor, info.ai_addr, info.ai_addrlen) == 0
    }

    #else
    /// Without a monitor, as on a watch, the attempts during an offline wait must follow each other more closely.
    static let longestPause = Duration.seconds(PathMonitor.system == nil ? 5 : 30)
    private static let interval = Duration.seconds(86_400)

    public var isOffline: Bool { false }
    #endif
}

extension ConnectivityMonitor where Self == SystemConnectivityMonitor {
    /// The monitor of the system's connectivity.
    public static var system: SystemConnectivityMonitor { .shared }
}
