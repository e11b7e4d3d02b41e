import Foundation

@testable import LoopbackServer

final class RawClient {
    private let socket: Socket

    init?(_ server: LoopbackServer) {
        guard let socket = try? Socket.connected(to: server.port) else { return nil }
        self.socket = socket
        socket.set(SO_RCVTIMEO, SOL_SOCKET, timeval(tv_sec: 20, tv_usec: 0))
    }

    deinit { socket.close() }

    func send(_ text: String) { _ = socket.send(Array(text.utf8)) }

    func get(_ path: String) { send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n") }

    func read(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: count)
        while bytes.count < count {
            let received = recv(socket.descriptor, &buffer, count - bytes.count, 0)
            if received <= 0 { break }
            bytes += buffer[..<received]
        }
        return bytes
    }

    func readHead() -> String {
        var head = ""
        while !head.hasSuffix("\r\n\r\n"), case let byte = read(1), !byte.isEmpty {
            head += String(decoding: byte, as: UTF8.self)
        }
        return head
    }
}

func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<2_000 {
        if condition() { return true }
        usleep(5_000)
    }
    return false
}
