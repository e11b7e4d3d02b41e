import Foundation

/// Standard error, the descriptor that indicators draw on.
final class StandardErrorDevice: TerminalDevice {
    private let descriptor = STDERR_FILENO

    var isTerminal: Bool { isatty(descriptor) == 1 }

    func transmit(
        _ urgency: TerminalUrgency, _ compose: (TerminalConditions) -> [TerminalTransmission]
    ) -> TerminalOutcome {
        // SIGTSTP: a handler on this thread must not stop it between the look at the terminal and the write, to write in
        // the background when it goes on. SIGTTOU: whoever is moved there even so had better draw than stop. SIGPIPE: a
        // line that nobody reads is no reason to end the program.
        Terminal.blocking(urgency == .frame ? [SIGTSTP, SIGPIPE, SIGTTOU] : [SIGTSTP, SIGPIPE]) {
            if urgency == .frame || isTerminal, let restorer = TerminalRestorer.shared,
                let outcome = restorer.insideGate(urgency, { transmit(urgency, restorer, compose) })
            {
                return outcome
            }
            // Nothing of an indicator's is on the screen, or will be.
            guard urgency == .text else { return .failed }
            let conditions = TerminalConditions(
                columns: 0, isForeground: Terminal.isForeground(descriptor), marks: [])
            return write(compose(conditions).flatMap(\.bytes), urgency).0
        }
    }

    /// Inside the restorer's gate.
    private func transmit(
        _ urgency: TerminalUrgency, _ restorer: TerminalRestorer,
        _ compose: (TerminalConditions) -> [TerminalTransmission]
    ) -> TerminalOutcome {
        defer { restorer.uninstallIfClean() }
        // Asked every time: a program may send its standard error elsewhere at any time.
        guard isTerminal else {
            restorer.marks = []
            return .failed
        }
        let isForeground = Terminal.isForeground(descriptor) && !restorer.hasExited
        guard isForeground || urgency == .text else {
            // What stood there has scrolled away: the shell has written since.
            restorer.marks = []
            return .background
        }
        let conditions = TerminalConditions(
            columns: Terminal.columns(of: descriptor), isForeground: isForeground, marks: restorer.marks)
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
        // Once more when a handler has cleaned up meanwhile, be it after the write or just before.
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

    /// - Returns: What became of it, and how many bytes have been written.
    private func write(_ bytes: [UInt8], _ urgency: TerminalUrgency) -> (TerminalOutcome, Int) {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    let written = bytes.count - rest.count
                    if urgency == .frame && written == 0 { return (.busy, 0) }
                    // Half a frame is worth finishing, for its escape sequences; but not for ever.
                    let patience = urgency == .frame ? Terminal.briefPatience : -1
                    guard Terminal.isWritable(descriptor, within: patience) else { return (.busy, written) }
                } else if errno != EINTR {
                    if errno == EPIPE { Terminal.discardPendingSIGPIPE() }
                    return (.failed, bytes.count - rest.count)
                }
            }
            return (.written, bytes.count)
        }
    }
}
