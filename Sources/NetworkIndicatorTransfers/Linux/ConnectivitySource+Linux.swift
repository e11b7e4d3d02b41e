#if os(Linux)
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
    /// this property.
    static var isOffline: Bool {
        guard let routes = try? String(contentsOfFile: "/proc/net/route", encoding: .ascii) else { return false }
        let routes6 = try? String(contentsOfFile: "/proc/net/ipv6_route", encoding: .ascii)
        // The second word is the destination or, for IPv6, the length of its prefix. The kernel refuses to send over a
        // route of the loopback interface.
        return !(routes + (routes6 ?? "")).split(separator: "\n").contains { line in
            let words = line.split { " \t".contains($0) }
            return words.count > 9 && ["00000000", "00"].contains(words[1]) && words[9] != "lo"
        }
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
