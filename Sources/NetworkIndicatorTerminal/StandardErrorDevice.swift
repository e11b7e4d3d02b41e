import Foundation

/// Standard error, the descriptor that indicators draw on.
struct StandardErrorDevice: TerminalDevice {
    private let descriptor: Int32

    /// - Parameter descriptor: Another terminal, for tests.
    init(descriptor: Int32 = STDERR_FILENO) { self.descriptor = descriptor }

    var conditions: TerminalConditions? {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        let (columns, rows) = Terminal.windowSize(of: descriptor)
        return TerminalConditions(
            columns: columns, rows: rows, typedBytes: Terminal.typedBytes(on: descriptor, settings),
            isForeground: Terminal.isForeground(descriptor))
    }

    var isOutputDelayed: Bool { Terminal.isPipe(STDOUT_FILENO) }

    func wait(within milliseconds: Int32) -> TerminalOutcome { Terminal.wait(for: descriptor, within: milliseconds) }

    func draw(_ frame: String) -> TerminalOutcome {
        // A terminal that accepts bytes may have room for a part of the frame only. Other programs share the description
        // of the descriptor, so this opens another one, whose writes don't block.
        let own = Terminal.openWithoutBlocking(descriptor)
        defer { if let own { close(own) } }
        // A process that has just moved to the background draws this frame instead of being stopped.
        return Terminal.maskingSIGTTOU(SIG_BLOCK) { write(frame, to: own ?? descriptor, waiting: 0) }
    }

    func write(_ text: String) { _ = write(text, to: descriptor, waiting: -1) }

    private func write(_ text: String, to output: Int32, waiting milliseconds: Int32) -> TerminalOutcome {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let outcome = wait(within: milliseconds)
                if outcome == .busy, rest.count < bytes.count { return .torn }
                guard outcome == .written else { return outcome }
                let count = Foundation.write(output, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                } else if errno == EAGAIN, milliseconds == 0 {
                    return rest.count == bytes.count ? .busy : .torn
                } else if errno != EAGAIN, errno != EINTR {
                    return .failed
                }
            }
            return .written
        }
    }
}
