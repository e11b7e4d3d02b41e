import Foundation
import NetworkIndicator

struct Connection {
    private let socket: Socket
    private let state: Lock<ServerState>

    private static let drainTimeout: Duration = .seconds(2)

    static func accept(from listener: Socket, _ state: Lock<ServerState>, _ threads: DispatchGroup) {
        while let socket = listener.accept() {
            guard state.withLock({ $0.add(socket) }) else { return socket.close() }
            threads.enter()
            Thread.detachNewThread {
                Connection(socket: socket, state: state).serve()
                _ = state.withLock { $0.connections.remove(socket) }
                socket.close()
                threads.leave()
            }
        }
        // If no file descriptor is free, the listener stays readable, and this pause prevents a busy loop.
        if errno != EAGAIN { usleep(20_000) }
    }

    private func serve() {
        var reader = RequestReader(socket)
        while var request = reader.next() {
            let script = state.withLock { $0.record(&request) }
            let response = script?(request) ?? .status(404)
            if let (reply, port) = response.tunnel { return tunnel(reply, to: port) }
            guard send(response, to: request) else { return }
        }
    }

    private func tunnel(_ reply: [UInt8], to port: UInt16?) {
        guard socket.send(reply) else { return }
        guard let port, let target = try? Socket.connected(to: port) else { return end(.close) }
        defer { target.close() }
        guard state.withLock({ $0.add(target, isAccepted: false) }) else { return }
        let back = DispatchGroup()
        back.enter()
        Thread.detachNewThread {
            target.forward(to: socket)
            back.leave()
        }
        socket.forward(to: target)
        back.wait()
        _ = state.withLock { $0.connections.remove(target) }
    }

    private func send(_ response: Response, to request: HTTPRequest) -> Bool {
        let message = Message(response, to: request)
        guard socket.wait(response.delay) else { return false }
        if let cut = response.cut, cut.bodyBytes == nil {
            end(cut.kind)
            return false
        }
        if let (bytes, count, interval) = response.prefix {
            for _ in 0..<count { guard socket.send(bytes), socket.wait(interval) else { return false } }
        }
        guard socket.send(message.head), send(message, of: response) else { return false }
        if let cut = response.cut {
            end(cut.kind)
            return false
        }
        if message.isChunked, !socket.send(Array("0\r\n\r\n".utf8)) { return false }
        if message.closes { end(.close) }
        return !message.closes
    }

    private func send(_ message: Message, of response: Response) -> Bool {
        var position = message.range.lowerBound
        let end = position + min(response.cut?.bodyBytes ?? .max, message.range.count)
        var pauses = response.piece.interval > .zero
        while position < end {
            let next = min(position + response.piece.size, message.range.upperBound)
            let part = position..<min(next, end)
            var bytes = response.body.bytes(in: part)
            if message.isChunked {
                bytes.insert(contentsOf: "\(String(next - position, radix: 16))\r\n".utf8, at: 0)
                if part.upperBound == next { bytes += [0x0D, 0x0A] }
            }
            guard socket.send(bytes) else { return false }
            position = part.upperBound
            guard pauses, position < end else { continue }
            pauses = !response.endsPauses()
            if pauses, !socket.wait(response.piece.interval) { return false }
        }
        return true
    }

    private func end(_ kind: Response.Cut) {
        switch kind {
        case .reset:
            let limit = SuspendingClock().now.advanced(by: Self.drainTimeout)
            while socket.unacknowledgedByteCount > 0, SuspendingClock().now < limit, socket.wait(.milliseconds(1)) {}
            socket.resetOnClose()
        case .close:
            socket.finishWriting()
            socket.discardInput(for: Self.drainTimeout)
        case .stall:
            socket.discardInput(for: nil)
        }
    }
}
