#if canImport(Glibc)
import Glibc

// `Socket` has methods of the same names.
func systemListen(_ descriptor: Int32) -> Int32 { Glibc.listen(descriptor, SOMAXCONN) }
func systemAccept(_ descriptor: Int32) -> Int32 { Glibc.accept(descriptor, nil, nil) }
func systemClose(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

extension Socket {
    static var streamType: Int32 { Int32(SOCK_STREAM.rawValue) }

    /// Port 0 of 127.0.0.1, for which the system picks a port.
    static func loopbackAddress() -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// Does nothing: ``send(_:)`` passes a flag.
    func suppressSIGPIPE() {}

    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// The number of bytes that the peer has not acknowledged.
    var unsentByteCount: Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }
}
#endif
