import Foundation

/// Standard error, the descriptor that indicators draw on.
package final class StandardErrorDevice: TerminalDevice {
    package static let shared = StandardErrorDevice()

    private let descriptor = STDERR_FILENO

    package var isTerminal: Bool { isatty(descriptor) == 1 }

    package func transmit(
        _ urgency: TerminalUrgency, _ compose: (TerminalConditions) -> TerminalTransmission?
    ) -> TerminalOutcome {
        let foreground = tcgetpgrp(descriptor)
        let conditions = TerminalConditions(columns: columns, isForeground: foreground < 0 || foreground == getpgrp())
        if urgency == .frame {
            guard conditions.isForeground else { return .background }
            guard isWritable(within: 0) else { return .busy }
        }
        guard let transmission = compose(conditions) else { return .written }
        return write(transmission.bytes, urgency)
    }

    private var columns: Int {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
    }

    private func write(_ bytes: [UInt8], _ urgency: TerminalUrgency) -> TerminalOutcome {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    // Half a frame is worth finishing, for its escape sequences; but not for ever.
                    if urgency == .frame, rest.count == bytes.count || !isWritable(within: 50) { return .busy }
                    if urgency == .text { _ = isWritable(within: -1) }
                } else if errno != EINTR {
                    return .failed
                }
            }
            return .written
        }
    }

    /// Whether the terminal would take bytes: not after Ctrl-S, nor while it is far behind.
    private func isWritable(within milliseconds: Int32) -> Bool {
        var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&query, 1, milliseconds) != 0
    }
}
