#if os(Linux)
@preconcurrency import Dispatch  // sources are thread-safe, but not marked Sendable
import Glibc

/// Receives netlink messages. Reports changes of links, addresses or routes if a network may be available.
final class ConnectivitySource: Sendable {
    private let source: (any DispatchSourceRead)?

    /// - Parameter onChange: Called on a private queue when links, addresses or routes change and a network is
    ///   available.
    init(_ onChange: @escaping @Sendable () -> Void) {
        guard let descriptor = Self.open() else {
            // Without a socket, no wait ends early. Attempts then follow the back-off alone.
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

    /// Whether the device has no usable interface. A usable interface is up and running, isn't loopback, and has an
    /// address that isn't link-local.
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

    /// Whether an address is an IP address that isn't link-local: the address is neither in 169.254.0.0/16 (RFC 3927)
    /// nor in fe80::/10.
    private static func reachesBeyondItsLink(_ address: UnsafePointer<sockaddr>) -> Bool {
        /// Returns the first two bytes of the address.
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

    // MARK: Netlink

    /// A netlink address with its multicast groups. Swift's Glibc module omits `struct sockaddr_nl` of
    /// <linux/netlink.h> and the groups of <linux/rtnetlink.h>.
    private struct NetlinkAddress {
        var family = UInt16(AF_NETLINK)
        var padding: UInt16 = 0
        var port: UInt32 = 0
        /// The groups LINK, IPV4_IFADDR, IPV4_ROUTE, IPV6_IFADDR and IPV6_ROUTE.
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

    /// Reads and discards all pending messages. Only their arrival matters, so the loop also ignores lost messages
    /// (`ENOBUFS`).
    private static func drain(_ descriptor: Int32) {
        var buffer: [UInt8] = Array(repeating: 0, count: 8_192)
        while recv(descriptor, &buffer, buffer.count, 0) > 0 || errno == EINTR || errno == ENOBUFS {}
    }
}
#endif
