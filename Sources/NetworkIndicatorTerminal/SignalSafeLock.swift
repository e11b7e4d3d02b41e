import Foundation

/// A lock that a signal handler may take.
///
/// A handler may call `read`, `write` and `poll`, but must not lock a mutex. So the lock is a pipe, which contains one
/// byte while the lock is free. A thread-specific value marks the thread that holds the lock, because a handler may
/// interrupt this thread.
struct SignalSafeLock: Sendable {
    private let reading: Int32
    private let writing: Int32
    private let isInside: pthread_key_t

    /// Makes a free lock; `nil` if the system has no descriptors or keys left.
    init?() {
        var ends: [Int32] = [-1, -1]
        var key = pthread_key_t()
        guard pipe(&ends) == 0 else { return nil }
        reading = Self.kept(ends[0])
        writing = Self.kept(ends[1])
        guard reading >= 0, writing >= 0, fcntl(reading, F_SETFL, O_NONBLOCK) == 0, pthread_key_create(&key, nil) == 0
        else {
            close(reading)
            close(writing)
            return nil
        }
        isInside = key
        leaveFromHandler()
    }

    /// Keeps children from inheriting an end of the pipe, and moves it off the numbers of the standard descriptors.
    ///
    /// It doesn't move other ends, because the Thread Sanitizer tracks a pipe, but not a duplicate that `fcntl` makes.
    private static func kept(_ end: Int32) -> Int32 {
        if end > STDERR_FILENO { return fcntl(end, F_SETFD, FD_CLOEXEC) == 0 ? end : -1 }
        defer { close(end) }
        return fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    }

    /// Waits until the lock is free, and takes it.
    ///
    /// - Parameters:
    ///   - signals: The signals whose handlers take the lock too.
    ///   - milliseconds: How long to wait; -1 means without limit.
    /// - Returns: `.entered` if the caller holds the lock, and must leave.
    func enter(handling signals: [Int32], within milliseconds: Int32) -> Entry {
        guard pthread_getspecific(isInside) == nil else { return .refused }
        while true {
            // If a handler ran between these two calls, it would wait for its own thread.
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

    /// Takes the lock in a signal handler. A handler may read a thread-specific value, but not set one.
    ///
    /// - Returns: Whether the handler holds the lock, and must leave. Otherwise it continues without the lock, because
    ///   this thread already held it, or because the terminal blocked the holder until the timeout.
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
        /// Another thread holds the lock.
        case occupied
        /// This thread already holds the lock, or the pipe is closed.
        case refused
    }

    private func tryToEnter() -> Entry {
        var byte: UInt8 = 0
        let count = read(reading, &byte, 1)
        if count == 1 { return .entered }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .occupied : .refused
    }

    /// - Returns: `false` after the timeout; otherwise the caller tries again.
    private func waits(within milliseconds: Int32) -> Bool {
        var query = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        return poll(&query, 1, milliseconds) != 0
    }
}
