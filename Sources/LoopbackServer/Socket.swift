import Foundation

struct Socket: Sendable, Hashable {
    let descriptor: Int32

    private init(descriptor: Int32, isBlocking: Bool) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, isBlocking ? 0 : O_NONBLOCK)
        suppressSIGPIPE()
    }

    private static func make(isBlocking: Bool) throws(SocketError) -> Socket {
        let descriptor = socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw SocketError(call: "socket", code: errno) }
        return Socket(descriptor: descriptor, isBlocking: isBlocking)
    }

    static func bound(toEveryAddress: Bool) throws(SocketError) -> Socket {
        let socket = try make(isBlocking: false)
        // Until this server listens, another program that sets this option may listen on the port. To all other
        // programs, the port is taken.
        socket.set(SO_REUSEADDR, SOL_SOCKET, Int32(1))
        var address = loopbackAddress
        if toEveryAddress { address.sin_addr.s_addr = INADDR_ANY }
        try socket.call("bind", Foundation.bind, address)
        return socket
    }

    static func connected(to port: UInt16) throws(SocketError) -> Socket {
        let socket = try make(isBlocking: true)
        var address = loopbackAddress
        address.sin_port = port.bigEndian
        try socket.call("connect", Foundation.connect, address)
        return socket
    }

    private func call(
        _ name: String, _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ address: sockaddr_in
    ) throws(SocketError) {
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result < 0 else { return }
        let error = SocketError(call: name, code: errno)
        close()
        throw error
    }

    func set<Value: BitwiseCopyable>(_ option: Int32, _ level: Int32, _ value: Value) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Value>.size))
    }

    static var loopbackAddress: sockaddr_in {
        var address = sockaddr_in()
        #if canImport(Darwin)
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    func listen() throws(SocketError) {
        guard Foundation.listen(descriptor, SOMAXCONN) == 0 else { throw SocketError(call: "listen", code: errno) }
    }

    func accept() -> Socket? {
        let descriptor = Foundation.accept(descriptor, nil, nil)
        guard descriptor >= 0 else { return nil }
        let socket = Socket(descriptor: descriptor, isBlocking: true)
        socket.set(TCP_NODELAY, Int32(IPPROTO_TCP), Int32(1))
        return socket
    }

    var port: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    func receive() -> [UInt8]? {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, count in
            repeat { result = recv(descriptor, buffer.baseAddress, buffer.count, 0) } while result < 0 && errno == EINTR
            count = max(0, result)
        }
        return result > 0 ? bytes : nil
    }

    func send(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                let count = Foundation.send(descriptor, rest.baseAddress, rest.count, Self.sendFlags)
                if count < 0, errno != EINTR { return false }
                sent += max(0, count)
            }
            return true
        }
    }

    func wait(_ duration: Duration) -> Bool {
        guard duration > .zero else { return true }
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&entry, 1, Int32(min((duration / .milliseconds(1)).rounded(.up), 1e9))) <= 0
    }

    func discardInput(for timeout: Duration?) {
        if let timeout {
            set(SO_RCVTIMEO, SOL_SOCKET, timeval(tv_sec: Int(timeout.components.seconds), tv_usec: 0))
        }
        while receive() != nil {}
    }

    func forward(to other: Socket) {
        while let bytes = receive(), other.send(bytes) {}
        other.finishWriting()
    }

    func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func close() { _ = Foundation.close(descriptor) }

    func resetOnClose() { set(SO_LINGER, SOL_SOCKET, linger(l_onoff: 1, l_linger: 0)) }
}
