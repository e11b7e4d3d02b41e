#if canImport(Network)
import Dispatch
import NetworkIndicatorURLSession

final class ConnectivitySource: Sendable {
    #if os(watchOS)
    /// On watchOS, `NWPathMonitor` reports no network except during audio streaming and calls (TN3135). Without a
    /// monitor, the attempts during an offline wait must follow each other more closely.
    static let longestPause = Duration.seconds(5)

    init(_ onChange: @escaping @Sendable () -> Void) {}
    #else
    static let longestPause = Duration.seconds(30)

    private let monitor = PathMonitor()

    init(_ onChange: @escaping @Sendable () -> Void) {
        monitor.start(on: DispatchQueue(label: "NetworkIndicator.ConnectivitySource"), onChange)
    }
    #endif

    /// On Apple's platforms, URLSession's error codes already show whether the device is offline.
    static var isOffline: Bool { false }
}
#elseif os(Linux)
@preconcurrency import Dispatch  // dispatch sources are thread-safe, but not `Sendable`
import Foundation

final class ConnectivitySource: Sendable {
    private let source: (any DispatchSourceRead)?

    init(_ onChange: @escaping @Sendable () -> Void) {
        guard let descriptor = Self.open() else {
            // Without a socket, no change can end an offline wait early.
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "NetworkIndicator.ConnectivitySource"))
        source.setEventHandler {
            Self.drain(descriptor)
            if !Self.isOffline { onChange() }
        }
        source.activate()
        self.source = source
    }

    /// URLSession on Linux never fails with `.notConnectedToInternet` (no issue has been filed), so
    /// `SystemConnectivityMonitor` needs this property. When the fault is fixed, only the event handler above needs
    /// this property. The addresses belong to root servers of the DNS.
    static var isOffline: Bool { !hasRoute(to: "198.41.0.4") && !hasRoute(to: "2001:503:ba3e::2:30") }

    /// Connecting a datagram socket sends nothing, but the kernel looks for a route, in all tables that its rules name.
    private static func hasRoute(to address: String) -> Bool {
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

    static let longestPause = Duration.seconds(30)

    // MARK: Netlink

    /// `struct sockaddr_nl` of `<linux/netlink.h>`, a header that Swift's Glibc module omits.
    private struct NetlinkAddress {
        var family = UInt16(AF_NETLINK)
        var padding: UInt16 = 0
        var port: UInt32 = 0
        /// The groups `RTMGRP_IPV4_ROUTE` and `RTMGRP_IPV6_ROUTE` of `<linux/rtnetlink.h>`.
        var groups: UInt32 = 0x40 | 0x400
    }

    private static func open() -> Int32? {
        let routeProtocol: Int32 = 0  // NETLINK_ROUTE
        let type = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_NETLINK, type, routeProtocol)
        guard descriptor >= 0 else { return nil }
        var address = NetlinkAddress()
        let size = socklen_t(MemoryLayout<NetlinkAddress>.size)
        // If `bind` fails, no messages arrive, as without a socket.
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        return descriptor
    }

    /// Only the arrival of messages matters, so `ENOBUFS`, which reports lost messages, isn't an error here.
    private static func drain(_ descriptor: Int32) {
        var buffer: [UInt8] = Array(repeating: 0, count: 8_192)
        while recv(descriptor, &buffer, buffer.count, 0) > 0 || errno == EINTR || errno == ENOBUFS {}
    }
}
#endif
