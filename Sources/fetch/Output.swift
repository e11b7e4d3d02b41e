import Foundation

/// Writes to descriptors that may be pipes.
enum Output {
    /// The number of bytes that a writable pipe accepts without blocking.
    private static let pieceSize = Int(PIPE_BUF)

    /// Writes bytes, and waits for the reader if necessary.
    ///
    /// - Parameter isCancelled: Ends the wait for a reader when it returns `true`.
    /// - Returns: 0 or an `errno`.
    static func write(
        _ bytes: some Collection<UInt8>, to descriptor: Int32, until isCancelled: () -> Bool = { false }
    ) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&entry, 1, 100) == 0 {
                if isCancelled() { return ECANCELED }
                continue
            }
            let piece = Array(rest.prefix(pieceSize))
            let count = Foundation.write(descriptor, piece, piece.count)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EAGAIN, errno != EINTR {
                return errno
            }
        }
        return 0
    }

    /// Writes a line while there is no indicator.
    static func write(_ line: Line, to descriptor: Int32) -> Int32 {
        write((line.text + "\n").utf8, to: descriptor)
    }

    static func failure(_ code: Int32) -> String {
        "cannot write to standard output: \(String(cString: strerror(code)))"
    }
}
