import Foundation

/// A pipe that wakes a thread from `poll`. Any thread may call ``wake()``. Deallocation closes the pipe.
final class Wakeup: Sendable {
    /// The descriptor that `poll` watches.
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
        _ = write(writeEnd, &byte, 1)  // if the pipe is full, a wake is already pending
    }

    /// Clears all wakes so far. Call this on the polling thread.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(readEnd, &bytes, bytes.count) == bytes.count {}
    }

    deinit {
        _ = close(readEnd)
        _ = close(writeEnd)
    }
}

/// Linux has calls that create descriptors with both flags, but Swift's Glibc module doesn't declare them.
func makeNonBlockingAndCloseOnExec(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
}
