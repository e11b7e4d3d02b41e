import Foundation

/// A non-blocking TCP socket on 127.0.0.1. Its owner must close it once.
///
/// The differences between systems are in `Socket+Glibc.swift` and `Socket+Darwin.swift`.
struct Socket: Sendable {
    let descriptor: Int32

    /// The result of a read or a write.
    enum Transfer {
        case bytes(Int)
        case wouldBlock
        case ended  // the peer's FIN, when reading
        case failed

        init(_ count: Int) {
            switch count {
            case 1...: self = .bytes(count)
            case 0: self = .ended
            default: self = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .wouldBlock : .failed
            }
        }
    }

    /// Binds to an ephemeral port of 127.0.0.1. Until ``listen()`` is called, connections to it are refused.
    ///
    /// - Parameter toEveryAddress: Whether to bind to every address of the machine instead.
    static func bound(toEveryAddress: Bool = false) throws(SocketError) -> Socket {
        let descriptor = socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw SocketError(call: "socket", code: errno) }
        let socket = Socket(descriptor: descriptor)
        socket.prepare()
        var address = Socket.loopbackAddress()
        if toEveryAddress { address.sin_addr.s_addr = INADDR_ANY }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let error = SocketError(call: "bind", code: errno)
            socket.close()
            throw error
        }
        return socket
    }

    private func prepare() {
        makeNonBlockingAndCloseOnExec(descriptor)
        suppressSIGPIPE()
    }

    func listen() throws(SocketError) {
        #if canImport(Darwin)
        let result = Darwin.listen(descriptor, SOMAXCONN)
        #else
        let result = Glibc.listen(descriptor, SOMAXCONN)
        #endif
        guard result == 0 else { throw SocketError(call: "listen", code: errno) }
    }

    /// Returns the next pending connection, or `nil` with the reason in `errno`.
    func accept() -> Socket? {
        #if canImport(Darwin)
        let descriptor = Darwin.accept(descriptor, nil, nil)
        #else
        let descriptor = Glibc.accept(descriptor, nil, nil)
        #endif
        guard descriptor >= 0 else { return nil }
        let socket = Socket(descriptor: descriptor)
        socket.prepare()
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout.size(ofValue: on)))
        return socket
    }

    /// The port that the socket is bound to.
    var port: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        Transfer(recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }

    /// Sends a FIN. Reading continues.
    func finishWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    func close() {
        #if canImport(Darwin)
        _ = Darwin.close(descriptor)
        #else
        _ = Glibc.close(descriptor)
        #endif
    }

    /// Closes with a RST instead of a FIN. Unsent bytes are lost.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close()
    }
}

/// A system call that failed while the server was set up.
package struct SocketError: Error, CustomStringConvertible {
    /// The name of the call, such as `bind`.
    package let call: String
    /// Its `errno`.
    package let code: Int32

    package var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
}
