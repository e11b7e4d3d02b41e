import Foundation

/// A pipe that wakes a thread out of `poll`. Any thread may wake; the pipe is closed when nobody holds it any more.
final class Wakeup: Sendable {
    /// What `poll` watches.
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws(SocketError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SocketError(call: "pipe", code: errno) }
        for end in ends { makeNonBlockingAndCloseOnExec(end) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)  // a full pipe wakes as well
    }

    /// Takes back all wakes so far. The thread that polls.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(readEnd, &bytes, bytes.count) == bytes.count {}
    }

    deinit {
        _ = close(readEnd)
        _ = close(writeEnd)
    }
}

/// Linux could do both as the descriptor is made, but shows those calls to GNU sources only.
func makeNonBlockingAndCloseOnExec(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
}
