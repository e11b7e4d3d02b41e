import Foundation

@testable import LoopbackServer

/// A TCP connection that a test controls. Reads block until a timeout, so that a missing response fails the test.
final class RawClient {
    enum End: Equatable {
        case fin, reset, open
    }

    private let socket: Socket

    /// Connects to the server, or returns `nil` if the connection is refused.
    init?(_ server: LoopbackServer, timeout: Int = 20) {
        let descriptor = Foundation.socket(AF_INET, Socket.streamType, 0)
        var address = Socket.loopbackAddress
        address.sin_port = server.port.bigEndian
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        socket = Socket(descriptor: descriptor)
        socket.suppressSIGPIPE()
        if result != 0 { return nil }
    }

    deinit { socket.close() }

    func send(_ text: String) { _ = socket.send(Array(text.utf8)) }

    func get(_ path: String, _ headers: String...) {
        send((["GET \(path) HTTP/1.1", "Host: a"] + headers).joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// Reads until `count` bytes have arrived, or the connection ends.
    func read(_ count: Int = .max) -> (bytes: [UInt8], end: End) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count < count {
            let received = recv(socket.descriptor, &buffer, min(buffer.count, count - bytes.count), 0)
            if received == 0 { return (bytes, .fin) }
            if received < 0 { return (bytes, errno == EAGAIN ? .open : .reset) }
            bytes += buffer[..<received]
        }
        return (bytes, .open)
    }

    /// Reads up to the empty line that ends a head.
    func readHead() -> String {
        var head = ""
        while !head.hasSuffix("\r\n\r\n") {
            let (bytes, end) = read(1)
            head += String(decoding: bytes, as: UTF8.self)
            if end != .open || bytes.isEmpty { break }
        }
        return head
    }
}

/// Returns whether a condition becomes true within ten seconds.
func eventually(_ condition: () -> Bool) -> Bool {
    let limit = SuspendingClock().now.advanced(by: .seconds(10))
    while SuspendingClock().now < limit {
        if condition() { return true }
        sched_yield()
    }
    return condition()
}
