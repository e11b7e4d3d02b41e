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

    func readHead() -> String {
        var head = ""
        var byte: UInt8 = 0
        while !head.hasSuffix("\r\n\r\n"), recv(socket.descriptor, &byte, 1, 0) == 1 {
            head.unicodeScalars.append(Unicode.Scalar(byte))
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
