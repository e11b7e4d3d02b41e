import Foundation

/// Standard error, the descriptor that indicators draw on.
final class StandardErrorDevice: TerminalDevice {
    private let descriptor = STDERR_FILENO

    var isTerminal: Bool { isatty(descriptor) == 1 }

    func transmit(
        _ urgency: TerminalUrgency, _ compose: (TerminalConditions) -> [TerminalTransmission]
    ) -> TerminalOutcome {
        // SIGTSTP: a handler on this thread must not stop the process between the foreground check and the write.
        // SIGTTOU: a process that moves to the background in between draws one frame instead of being stopped. SIGPIPE:
        // writing to a closed pipe must not end the program.
        Terminal.blocking(urgency == .frame ? [SIGTSTP, SIGPIPE, SIGTTOU] : [SIGTSTP, SIGPIPE]) {
            var outcome = TerminalOutcome.failed
            if urgency == .frame || isTerminal, let restorer = TerminalRestorer.shared,
                let drawn = restorer.whileLocked(urgency, { transmit(urgency, restorer, compose) })
            {
                outcome = drawn
                if urgency == .frame || outcome != .background { return outcome }
            }
            guard urgency == .text else { return .failed }
            return writeBesideTheScreen(compose)
        }
    }

    /// Writes a text while no part of an indicator is on the screen.
    private func writeBesideTheScreen(
        _ compose: (TerminalConditions) -> [TerminalTransmission]
    ) -> TerminalOutcome {
        let isForeground = Terminal.isForeground(descriptor)
        let bytes = compose(TerminalConditions(columns: 0, isForeground: isForeground, marks: [])).flatMap(\.bytes)
        // Dispatch blocks SIGTTOU on its threads. While it is blocked, `stty tostop` has no effect.
        return isForeground ? write(bytes, .text).0 : Terminal.unblocking(SIGTTOU) { write(bytes, .text).0 }
    }

    /// Call this while the restorer is locked.
    ///
    /// - Returns: `.background`, with nothing written, in the background, after the exit, or for a text without a
    ///   terminal.
    private func transmit(
        _ urgency: TerminalUrgency, _ restorer: TerminalRestorer,
        _ compose: (TerminalConditions) -> [TerminalTransmission]
    ) -> TerminalOutcome {
        defer { restorer.uninstallIfClean() }
        // The check is repeated, because a program may redirect its standard error at any time.
        guard isTerminal else {
            restorer.marks = []
            return urgency == .frame ? .failed : .background
        }
        guard Terminal.isForeground(descriptor), !restorer.hasExited else {
            // The shell may have written since the last frame, so the row is no longer at the cursor.
            restorer.marks = []
            return .background
        }
        let (columns, rows) = Terminal.windowSize(of: descriptor)
        let conditions = TerminalConditions(
            columns: columns, rows: rows, typedBytes: Terminal.typedBytes(on: descriptor), isForeground: true,
            marks: restorer.marks)
        let transmissions = compose(conditions)
        if urgency == .frame, !transmissions.isEmpty, !Terminal.isWritable(descriptor, within: 0) { return .busy }
        for transmission in transmissions {
            let outcome = write(transmission, urgency, restorer)
            guard outcome == .written else { return outcome }
        }
        return .written
    }

    private func write(
        _ transmission: TerminalTransmission, _ urgency: TerminalUrgency, _ restorer: TerminalRestorer
    ) -> TerminalOutcome {
        if !transmission.adds.isEmpty { restorer.install() }
        let before = restorer.marks
        // If a signal handler has erased the row meanwhile, the loop writes it again.
        repeat {
            restorer.marks.formUnion(transmission.adds)
            let (outcome, count) = write(transmission.bytes, urgency)
            switch outcome {
            case .written: break
            case .busy:
                if count == 0 { restorer.marks = before }
                return .busy
            case .background, .failed:
                restorer.marks = []
                return .failed
            }
        } while !restorer.marks.isSuperset(of: transmission.adds)
        restorer.marks.subtract(transmission.removes)
        return .written
    }

    /// - Returns: The outcome, and the number of bytes written.
    private func write(_ bytes: [UInt8], _ urgency: TerminalUrgency) -> (TerminalOutcome, Int) {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Terminal.write(UnsafeRawBufferPointer(rebasing: rest), to: descriptor)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    let written = bytes.count - rest.count
                    if urgency == .frame && written == 0 { return (.busy, 0) }
                    // The rest of a frame may complete an escape sequence, so it's worth a short wait.
                    let timeout = urgency == .frame ? Terminal.briefTimeout : -1
                    guard Terminal.isWritable(descriptor, within: timeout) else { return (.busy, written) }
                } else if errno != EINTR {
                    return (.failed, bytes.count - rest.count)
                }
            }
            return (.written, bytes.count)
        }
    }
}
