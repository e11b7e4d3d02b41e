import Foundation

/// A lock that a signal handler may take.
///
/// A handler may call `read`, `write` and `poll`, but no lock of the thread library. So the lock is a pipe that holds one
/// byte while nobody is inside. A handler may also interrupt the very thread that is inside: a thread-specific value tells
/// it so.
struct TerminalGate: Sendable {
    private let reading: Int32
    private let writing: Int32
    private let isInside: pthread_key_t

    /// Makes an open gate, or `nil` where the system has no descriptors or keys left.
    init?() {
        var ends: [Int32] = [-1, -1]
        var key = pthread_key_t()
        guard pipe(&ends) == 0 else { return nil }
        reading = Self.kept(ends[0])
        writing = Self.kept(ends[1])
        guard reading >= 0, writing >= 0, fcntl(reading, F_SETFL, O_NONBLOCK) == 0, pthread_key_create(&key, nil) == 0
        else { return nil }
        isInside = key
        leaveFromHandler()
    }

    /// Children must not inherit it, and the standard descriptors' numbers are not for it, even when they are free.
    ///
    /// Otherwise it stays the descriptor that `pipe` made: the Thread Sanitizer follows a pipe, and so the order that it
    /// brings about, but not a duplicate made by `fcntl`.
    private static func kept(_ end: Int32) -> Int32 {
        if end > STDERR_FILENO { return fcntl(end, F_SETFD, FD_CLOEXEC) == 0 ? end : -1 }
        defer { close(end) }
        return fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    }

    /// Waits until nobody is inside.
    ///
    /// - Returns: Whether one is inside now, and due to leave: not if the thread was before, or the pipe is gone.
    func enter() -> Bool {
        guard enter(within: -1) else { return false }
        // Until this is done a handler on this thread waits in vain for a tenth of a second: no harm.
        pthread_setspecific(isInside, UnsafeRawPointer(bitPattern: 1))
        return true
    }

    func leave() {
        pthread_setspecific(isInside, nil)
        leaveFromHandler()
    }

    /// For signal handlers, which may read a thread-specific value but not set one.
    ///
    /// - Returns: Whether it is inside now, and due to leave. Otherwise it goes on without: this thread was inside before,
    ///   or somebody has been for a tenth of a second, held up by the terminal itself.
    func enterFromHandler() -> Bool { enter(within: 100) }

    func leaveFromHandler() {
        var byte: UInt8 = 0
        while write(writing, &byte, 1) < 0 && errno == EINTR {}
    }

    /// - Parameter milliseconds: How long to wait; -1 for ever.
    private func enter(within milliseconds: Int32) -> Bool {
        guard pthread_getspecific(isInside) == nil else { return false }
        var byte: UInt8 = 0
        while true {
            let count = read(reading, &byte, 1)
            if count == 1 { return true }
            if count == 0 || (errno != EAGAIN && errno != EINTR) { return false }
            var query = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            if poll(&query, 1, milliseconds) == 0 { return false }
        }
    }
}
