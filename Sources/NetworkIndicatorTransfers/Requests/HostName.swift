import Foundation

struct HostName {
    private let name: String

    init(_ host: String) { name = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[].")) }

    /// The 16 bytes of an IPv6 address, or the 4 bytes of an IPv4 address, which can be short, such as `127.1`, or
    /// mapped to IPv6.
    var address: [UInt8]? {
        var (short, long) = (in_addr(), in6_addr())
        if inet_aton(name, &short) != 0 { return withUnsafeBytes(of: short) { Array($0) } }
        guard inet_pton(AF_INET6, String(name.prefix { $0 != "%" }), &long) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: long) { Array($0) }
        return bytes.starts(with: Array(repeating: 0, count: 10) + [0xFF, 0xFF]) ? bytes.suffix(4) : bytes
    }

    var isLoopback: Bool {
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        guard let address else { return false }
        return address.count == 4 ? address[0] == 127 : address == Array(repeating: 0, count: 15) + [1]
    }
}
