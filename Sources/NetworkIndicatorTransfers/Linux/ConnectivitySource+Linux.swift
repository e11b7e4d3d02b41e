#if os(Linux)
@preconcurrency import Dispatch  // dispatch sources are thread-safe, but not `Sendable`
import Glibc

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
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return false }
        defer { freeifaddrs(list) }
        let wanted = UInt32(IFF_UP | IFF_RUNNING)
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            let isUsed = entry.ifa_flags & wanted == wanted && entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            if isUsed, let address = entry.ifa_addr, reachesBeyondItsLink(address) { return false }
        }
        return true
    }

    /// Link-local addresses are 169.254.0.0/16 (RFC 3927) and fe80::/10 (RFC 4291).
    private static func reachesBeyondItsLink(_ address: UnsafePointer<sockaddr>) -> Bool {
        func prefix<Address>(_ part: PartialKeyPath<Address>) -> UInt16 {
            let offset = MemoryLayout<Address>.offset(of: part)!
            return UInt16(bigEndian: UnsafeRawPointer(address).load(fromByteOffset: offset, as: UInt16.self))
        }
        return switch Int32(address.pointee.sa_family) {
        case AF_INET: prefix(\sockaddr_in.sin_addr) != 0xA9FE
        case AF_INET6: prefix(\sockaddr_in6.sin6_addr) & 0xFFC0 != 0xFE80
        default: false
        }
    }

    static let longestPause = Duration.seconds(30)

    // MARK: Netlink

    /// `struct sockaddr_nl` of `<linux/netlink.h>`, a header that Swift's Glibc module omits.
    private struct NetlinkAddress {
        var family = UInt16(AF_NETLINK)
        var padding: UInt16 = 0
        var port: UInt32 = 0
        /// The `RTMGRP_` groups LINK, IPV4_IFADDR, IPV4_ROUTE, IPV6_IFADDR and IPV6_ROUTE of `<linux/rtnetlink.h>`.
        var groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
    }

    private static func open() -> Int32? {
        let routeProtocol: Int32 = 0  // NETLINK_ROUTE
        let type = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_NETLINK, type, routeProtocol)
        guard descriptor >= 0 else { return nil }
        var address = NetlinkAddress()
        let size = socklen_t(MemoryLayout<NetlinkAddress>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard result == 0 else {
            close(descriptor)
            return nil
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
