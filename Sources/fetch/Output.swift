import Foundation

/// Writes to descriptors that may be pipes.
enum Output {
    /// The number of bytes that a writable pipe accepts without blocking.
    private static let pieceSize = Int(PIPE_BUF)

    /// Writes a text and a line break, and waits for the reader if necessary.
    ///
    /// - Parameter isCancelled: Ends the wait for a reader when it returns `true`.
    /// - Returns: 0 or an `errno`.
    @discardableResult
    static func print(_ text: String, to descriptor: Int32, until isCancelled: () -> Bool = { false }) -> Int32 {
        var rest = Array((text + "\n").utf8)[...]
        while !rest.isEmpty {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&entry, 1, 100) == 0 {
                if isCancelled() { return ECANCELED }
                continue
            }
            let piece = Array(rest.prefix(pieceSize))
            let count = write(descriptor, piece, piece.count)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EAGAIN, errno != EINTR {
                return errno
            }
        }
        return 0
    }

    /// Prints an error while there is no indicator.
    static func printError(_ text: String) { print("fetch: \(text)".printable, to: STDERR_FILENO) }

    static func failure(_ code: Int32) -> String {
        "cannot write to standard output: \(String(cString: strerror(code)))"
    }
}
