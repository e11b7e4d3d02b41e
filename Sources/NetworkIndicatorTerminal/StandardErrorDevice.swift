import Foundation

/// Standard error, the descriptor that indicators draw on.
final class StandardErrorDevice: TerminalDevice {
    private let descriptor = STDERR_FILENO

    var isTerminal: Bool { isatty(descriptor) == 1 }

    func transmit(
        _ urgency: TerminalUrgency, _ compose: (TerminalConditions) -> TerminalTransmission?
    ) -> TerminalOutcome {
        // SIGTSTP: a handler on this thread must not stop it between the look at the terminal and the write, to write in
        // the background when it goes on. SIGTTOU: whoever is moved there even so had better draw than stop. SIGPIPE: a
        // line that nobody reads is no reason to end the program.
        Terminal.blocking(urgency == .frame ? [SIGTSTP, SIGPIPE, SIGTTOU] : [SIGTSTP, SIGPIPE]) {
            if urgency == .frame || isTerminal, let restorer = TerminalRestorer.shared,
                let outcome = restorer.insideGate({ transmit(urgency, restorer, compose) })
            {
                return outcome
            }
            // Nothing of an indicator's is on the screen, or will be.
            guard urgency == .text else { return .failed }
            let transmission = compose(TerminalConditions(columns: 0, isForeground: Terminal.isForeground(descriptor)))
            return write(transmission?.bytes ?? [], urgency)
        }
    }

    /// Inside the restorer's gate.
    private func transmit(
        _ urgency: TerminalUrgency, _ restorer: TerminalRestorer,
        _ compose: (TerminalConditions) -> TerminalTransmission?
    ) -> TerminalOutcome {
        let isForeground = Terminal.isForeground(descriptor) && !restorer.hasExited
        if urgency == .frame {
            guard isForeground else {
                restorer.note([])
                return .background
            }
            guard Terminal.isWritable(descriptor, within: 0) else { return .busy }
        }
        let conditions = TerminalConditions(
            columns: Terminal.columns(of: descriptor), isForeground: isForeground,
            wasCleaned: restorer.takeWasCleaned())
        guard let transmission = compose(conditions) else { return .written }
        let before = restorer.marks
        restorer.note(before.union(transmission.marks))
        let outcome = write(transmission.bytes, urgency)
        switch outcome {
        case .written: restorer.note(transmission.marks)
        case .busy: restorer.note(before)
        case .background, .failed: restorer.note([])
        }
        return outcome
    }

    private func write(_ bytes: [UInt8], _ urgency: TerminalUrgency) -> TerminalOutcome {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    if urgency == .frame && rest.count == bytes.count { return .busy }
                    // Half a frame is worth finishing, for its escape sequences; but not for ever.
                    guard Terminal.isWritable(descriptor, within: urgency == .frame ? 50 : -1) else { return .busy }
                } else if errno != EINTR {
                    if errno == EPIPE { Terminal.discardPendingSIGPIPE() }
                    return .failed
                }
            }
            return .written
        }
    }
}
