import Foundation

/// A lock that a signal handler may take.
///
/// A handler may call `read`, `write` and `poll`, but no lock of the thread library. So the lock is a pipe that holds one
/// byte while nobody is inside. A handler may also interrupt the very thread that is inside: a thread-specific value tells
/// it so.
struct SignalSafeLock: Sendable {
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
    /// - Parameters:
    ///   - signals: Those whose handlers enter too.
    ///   - milliseconds: How long to wait; -1 for ever.
    /// - Returns: Whether one is inside now, and due to leave.
    func enter(handling signals: [Int32], within milliseconds: Int32) -> Entry {
        guard pthread_getspecific(isInside) == nil else { return .refused }
        while true {
            // A handler on this thread must not come between the two: it would wait for this very thread.
            let entry = Terminal.blocking(signals) {
                let entry = tryToEnter()
                if entry == .entered { pthread_setspecific(isInside, UnsafeRawPointer(bitPattern: 1)) }
                return entry
            }
            if entry != .occupied || !waits(within: milliseconds) { return entry }
        }
    }

    func leave(handling signals: [Int32]) {
        Terminal.blocking(signals) {
            pthread_setspecific(isInside, nil)
            leaveFromHandler()
        }
    }

    /// For signal handlers, which may read a thread-specific value but not set one.
    ///
    /// - Returns: Whether it is inside now, and due to leave. Otherwise it goes on without: this thread was inside before,
    ///   or somebody has been for as long as its patience lasts, held up by the terminal itself.
    func enterFromHandler() -> Bool {
        guard pthread_getspecific(isInside) == nil else { return false }
        while true {
            let entry = tryToEnter()
            if entry != .occupied || !waits(within: Terminal.timeout) { return entry == .entered }
        }
    }

    func leaveFromHandler() {
        var byte: UInt8 = 0
        while write(writing, &byte, 1) < 0 && errno == EINTR {}
    }

    enum Entry {
        case entered
        /// Somebody else is inside.
        case occupied
        /// This thread was inside before, or the pipe is gone.
        case refused
    }

    private func tryToEnter() -> Entry {
        var byte: UInt8 = 0
        let count = read(reading, &byte, 1)
        if count == 1 { return .entered }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .occupied : .refused
    }

    /// - Returns: Whether it is time to try again, and not to give up.
    private func waits(within milliseconds: Int32) -> Bool {
        var query = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        return poll(&query, 1, milliseconds) != 0
    }
}
