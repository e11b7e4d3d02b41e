import Foundation

/// A lock that a signal handler may take: a pipe that holds one byte while nobody is inside.
///
/// A handler may call `read`, `write` and `poll`, but no lock of the thread library. And it may interrupt the very thread
/// that is inside: a thread-specific value tells it so.
struct TerminalGate: Sendable {
    private let token: Int32
    private let slot: Int32
    private let isInside: pthread_key_t

    /// Makes an open gate, or `nil` where the system has no descriptors or keys left.
    init?() {
        var ends: [Int32] = [-1, -1]
        var key = pthread_key_t()
        guard pipe(&ends) == 0 else { return nil }
        // Children must not inherit it, and the standard descriptors' numbers are not for it, even where they are free.
        token = fcntl(ends[0], F_DUPFD_CLOEXEC, 3)
        slot = fcntl(ends[1], F_DUPFD_CLOEXEC, 3)
        close(ends[0])
        close(ends[1])
        guard token >= 0, slot >= 0, fcntl(token, F_SETFL, O_NONBLOCK) == 0, pthread_key_create(&key, nil) == 0
        else { return nil }
        isInside = key
        handBack()
    }

    enum Entry {
        /// Inside now, and due to leave.
        case entered
        /// This thread was inside before.
        case inside
        /// Somebody else is inside, and stays there; or the pipe is gone.
        case refused
    }

    /// Waits until nobody is inside.
    func enter() -> Entry {
        let entry = enter(within: -1)
        // Between here and there a handler on this thread waits in vain for a tenth of a second: no harm done.
        if entry == .entered { pthread_setspecific(isInside, UnsafeRawPointer(bitPattern: 1)) }
        return entry
    }

    func leave() {
        pthread_setspecific(isInside, nil)
        handBack()
    }

    /// For signal handlers, which may read a thread-specific value but not set one. Waits for a tenth of a second, no
    /// longer: whoever is inside then is held up by the terminal itself.
    func enterFromHandler() -> Entry { enter(within: 100) }

    func leaveFromHandler() { handBack() }

    private func enter(within milliseconds: Int32) -> Entry {
        if pthread_getspecific(isInside) != nil { return .inside }
        var byte: UInt8 = 0
        while true {
            let count = read(token, &byte, 1)
            if count == 1 { return .entered }
            if count == 0 || (errno != EAGAIN && errno != EINTR) { return .refused }
            var query = pollfd(fd: token, events: Int16(POLLIN), revents: 0)
            if poll(&query, 1, milliseconds) == 0 { return .refused }
        }
    }

    private func handBack() {
        var byte: UInt8 = 0
        while write(slot, &byte, 1) < 0 && errno == EINTR {}
    }
}
