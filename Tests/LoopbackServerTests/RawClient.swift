import Foundation

@testable import LoopbackServer

final class RawClient {
    enum End: Equatable {
        case fin, reset, open
    }

    private let socket: Socket

    init?(_ server: LoopbackServer) {
        guard let socket = try? Socket.connected(to: server.port) else { return nil }
        self.socket = socket
        socket.set(SO_RCVTIMEO, SOL_SOCKET, timeval(tv_sec: 20, tv_usec: 0))
    }

    deinit { socket.close() }

    func send(_ text: String) { _ = socket.send(Array(text.utf8)) }

    func finishWriting() { socket.finishWriting() }

    func get(_ path: String) { send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n") }

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

func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<2_000 where !condition() { usleep(5_000) }
    return condition()
}
