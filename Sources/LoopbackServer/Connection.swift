import Foundation

/// One accepted connection. It reads requests and performs the plan of each answer, on the server's thread only.
final class Connection {
    private enum Phase {
        case reading
        case answering(ResponsePlan)
        case stalled
        case resetting(until: SuspendingClock.Instant)
        case lingering(until: SuspendingClock.Instant)
        case closed
    }

    let socket: Socket
    private let number: Int
    private let answer: (inout HTTPRequest) -> Answer

    private var phase = Phase.reading
    private var parser = HTTPRequestParser()
    private var sentContinue = false
    private var output: ArraySlice<UInt8> = []
    private var peerHasEnded = false

    /// When the loop must call ``handle(_:now:)`` even without an event.
    private(set) var wakesAt: SuspendingClock.Instant?

    /// While the connection answers, it stops reading when this many bytes are unparsed.
    private static let readAhead = 64 * 1024
    /// How long a client has to receive the data before the connection is closed.
    private static let drainTimeout: Duration = .seconds(2)

    init(socket: Socket, number: Int, answer: @escaping (inout HTTPRequest) -> Answer) {
        self.socket = socket
        self.number = number
        self.answer = answer
    }

    var isClosed: Bool { if case .closed = phase { true } else { false } }

    /// The events that `poll` watches.
    var interest: Int16 {
        let reads =
            switch phase {
            case .reading, .stalled, .lingering: true
            case .answering: parser.bufferedByteCount < Self.readAhead
            case .resetting, .closed: false
            }
        return Int16(reads && !peerHasEnded ? POLLIN : 0) | Int16(output.isEmpty ? 0 : POLLOUT)
    }

    /// Handles the events that `poll` reported, and advances as far as possible.
    func handle(_ events: Int16, now: SuspendingClock.Instant) {
        if events & Int16(POLLERR | POLLNVAL) != 0 { return close() }
        if events & Int16(POLLIN) != 0 { read() }
        if events & Int16(POLLHUP) != 0 { return close() }
        // The limit gives other connections their turn.
        for _ in 0..<8 where !isClosed {
            guard advance(now: now) else { return }
        }
        if !isClosed { wakesAt = now }
    }

    func close() {
        guard !isClosed else { return }
        phase = .closed
        wakesAt = nil
        socket.close()
    }

    private func read() {
        let input = withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 1) { buffer in
            let transfer = socket.receive(into: buffer)
            if case .bytes(let count) = transfer, keepsInput { parser.append(buffer[..<count]) }
            return transfer
        }
        switch input {
        case .bytes, .wouldBlock: break
        case .ended: peerHasEnded = true
        case .failed: close()
        }
    }

    private var keepsInput: Bool {
        switch phase {
        case .reading, .answering: true
        case .stalled, .resetting, .lingering, .closed: false
        }
    }

    /// Performs one step.
    ///
    /// - Returns: `false` if nothing can be done before the next event or ``wakesAt``.
    private func advance(now: SuspendingClock.Instant) -> Bool {
        if !output.isEmpty { return write() }
        if let time = wakesAt, time > now {
            // Waits for the time, or for the peer's FIN.
            if peerHasEnded, case .lingering = phase { close() }
            return false
        }
        wakesAt = nil
        switch phase {
        case .reading:
            return parse()
        case .answering(var plan):
            let step = plan.next()
            phase = .answering(plan)
            perform(step, now: now)
            return true
        case .stalled:
            if peerHasEnded { close() }
            return false
        case .resetting(let limit):
            if socket.unsentByteCount == 0 || now >= limit {
                phase = .closed
                socket.reset()
            } else {
                wakesAt = now.advanced(by: .milliseconds(1))
            }
            return false
        case .lingering(let limit):
            if peerHasEnded || now >= limit { close() } else { wakesAt = limit }
            return false
        case .closed:
            return false
        }
    }

    private func write() -> Bool {
        switch output.withUnsafeBytes(socket.send) {
        case .bytes(let count):
            output.removeFirst(count)
            return true
        case .wouldBlock, .ended:
            return false
        case .failed:
            close()
            return false
        }
    }

    private func parse() -> Bool {
        do {
            if var request = try parser.next() {
                request.connection = number
                sentContinue = false
                let answer = answer(&request)
                phase = .answering(ResponsePlan(answer, for: request))
                return true
            }
        } catch {
            let answer = Answer(status: error.status, body: .bytes(Array("\(error)\n".utf8))).closing()
            let request = HTTPRequest(method: "GET", target: "/", headers: [:])
            phase = .answering(ResponsePlan(answer, for: request))
            return true
        }
        if peerHasEnded {
            close()
        } else if parser.expectsContinue, !sentContinue {
            sentContinue = true
            output = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...]
            return true
        }
        return false
    }

    private func perform(_ step: ResponsePlan.Step?, now: SuspendingClock.Instant) {
        switch step {
        case .send(let bytes): output = bytes[...]
        case .wait(let time): wakesAt = now.advanced(by: time)
        case .cut(.reset): phase = .resetting(until: now.advanced(by: Self.drainTimeout))
        case .cut(.stall): phase = .stalled
        case .cut(.close), .close:
            socket.finishWriting()
            phase = .lingering(until: now.advanced(by: Self.drainTimeout))
        case nil: phase = .reading
        }
    }
}
