#if canImport(Darwin)
import Darwin

// `Socket` has methods of the same names.
func systemListen(_ descriptor: Int32) -> Int32 { Darwin.listen(descriptor, SOMAXCONN) }
func systemAccept(_ descriptor: Int32) -> Int32 { Darwin.accept(descriptor, nil, nil) }
func systemClose(_ descriptor: Int32) { _ = Darwin.close(descriptor) }

extension Socket {
    static var streamType: Int32 { SOCK_STREAM }

    /// Port 0 of 127.0.0.1, for which the system picks a port.
    static func loopbackAddress() -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    func suppressSIGPIPE() {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout.size(ofValue: on)))
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
    }

    /// The number of bytes that the peer has not acknowledged.
    var unsentByteCount: Int {
        var count: Int32 = 0
        var length = socklen_t(MemoryLayout.size(ofValue: count))
        return getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &length) == 0 ? Int(count) : 0
    }
}
#endif
