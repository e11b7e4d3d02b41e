import Foundation

/// A lock that a signal handler may take, and takes before anyone else who waits.
///
/// A handler may call `read`, `write` and `poll`, but no lock of the thread library. So the lock is a pipe that holds one
/// byte while nobody is inside, and a second pipe holds a byte for each handler that wants to get in or is inside. A
/// handler may also interrupt the very thread that is inside: a thread-specific value tells it so.
struct TerminalGate: Sendable {
    private let token: Pipe
    private let requests: Pipe
    private let isInside: pthread_key_t

    /// Makes an open gate, or `nil` where the system has no descriptors or keys left.
    init?() {
        var key = pthread_key_t()
        guard let token = Pipe(), let requests = Pipe(), pthread_key_create(&key, nil) == 0 else { return nil }
        self.token = token
        self.requests = requests
        isInside = key
        token.put()
    }

    /// Waits until nobody is inside.
    ///
    /// - Returns: Whether one is inside now, and due to leave: not if the thread was before, or the pipe is gone.
    func enter() -> Bool {
        guard pthread_getspecific(isInside) == nil else { return false }
        var patience = 2000  // milliseconds: ten times as long as a handler may take
        while patience > 0 && requests.isFull(within: 0) {
            poll(nil, 0, 1)
            patience -= 1
        }
        guard token.take(within: -1) else { return false }
        // Until this is done a handler on this thread waits in vain for a tenth of a second: no harm.
        pthread_setspecific(isInside, UnsafeRawPointer(bitPattern: 1))
        return true
    }

    func leave() {
        pthread_setspecific(isInside, nil)
        token.put()
    }

    /// What a handler has achieved, and must undo.
    enum HandlerEntry {
        /// Inside.
        case entered
        /// This thread was inside already.
        case nested
        /// Somebody stays inside: he is held up by the terminal. The handler goes on without.
        case refused
    }

    /// For signal handlers, which may read a thread-specific value but not set one. Takes a tenth of a second at most.
    func enterFromHandler() -> HandlerEntry {
        if pthread_getspecific(isInside) != nil { return .nested }
        requests.put()
        return token.take(within: 100) ? .entered : .refused
    }

    func leaveFromHandler(_ entry: HandlerEntry) {
        switch entry {
        case .nested: return
        case .entered: token.put()
        case .refused: break
        }
        _ = requests.take(within: 0)
    }

    /// Bytes that stand for something, in a pipe of one's own.
    private struct Pipe {
        private let reading: Int32
        private let writing: Int32

        init?() {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return nil }
            reading = Self.kept(ends[0])
            writing = Self.kept(ends[1])
            guard reading >= 0, writing >= 0, fcntl(reading, F_SETFL, O_NONBLOCK) == 0 else { return nil }
        }

        /// Children must not inherit it, and the standard descriptors' numbers are not for it, even when they are free.
        ///
        /// Otherwise it stays the descriptor that `pipe` made: the Thread Sanitizer follows a pipe, and so the order that
        /// it brings about, but not a duplicate made by `fcntl`.
        private static func kept(_ end: Int32) -> Int32 {
            if end > STDERR_FILENO { return fcntl(end, F_SETFD, FD_CLOEXEC) == 0 ? end : -1 }
            defer { close(end) }
            return fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        }

        func put() {
            var byte: UInt8 = 0
            while write(writing, &byte, 1) < 0 && errno == EINTR {}
        }

        /// - Parameter milliseconds: How long to wait for a byte; -1 for ever.
        func take(within milliseconds: Int32) -> Bool {
            var byte: UInt8 = 0
            while true {
                let count = read(reading, &byte, 1)
                if count == 1 { return true }
                if count == 0 || (errno != EAGAIN && errno != EINTR) { return false }
                if !isFull(within: milliseconds) { return false }
            }
        }

        func isFull(within milliseconds: Int32) -> Bool {
            var query = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            return poll(&query, 1, milliseconds) != 0
        }
    }
}
