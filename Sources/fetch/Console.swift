import Foundation
import NetworkIndicatorTerminal

/// Writes to standard output and standard error beside an indicator.
@MainActor
final class Console {
    private let indicator: TerminalIndicator
    private let termination: Termination
    /// The descriptor of results: standard output, or standard error if standard output receives a file.
    private let descriptor: Int32
    /// The colours of results.
    let style: TerminalStyle
    let errorStyle = TerminalStyle(for: STDERR_FILENO)
    /// Whether a write to standard output has failed.
    private(set) var hasFailed = false

    init(indicator: TerminalIndicator, termination: Termination, outputIsForFile: Bool) {
        self.indicator = indicator
        self.termination = termination
        descriptor = outputIsForFile ? STDERR_FILENO : STDOUT_FILENO
        style = TerminalStyle(for: descriptor)
        isTerminal = isatty(descriptor) == 1
    }

    /// Whether results go to a terminal, where they have one more column.
    let isTerminal: Bool

    /// Prints a result.
    func print(_ line: Line) {
        if descriptor == STDERR_FILENO {
            indicator.print(line.text)
        } else {
            write(Array((line.text + "\n").utf8))
        }
    }

    /// Prints a line to standard error, above the indicator.
    func printError(_ line: Line) {
        indicator.print(line.text)
    }

    private func write(_ bytes: some Collection<UInt8>) {
        // The reader is lost or stalled, and a signal ends the program. Many lines may remain.
        if hasFailed, termination.signal != nil { return }
        let code = indicator.suspend { Output.write(bytes, to: STDOUT_FILENO, until: { termination.signal != nil }) }
        if code == EPIPE, !termination.ignoresLostReaders { termination.begin(by: SIGPIPE) }
        guard code != 0, !hasFailed else { return }
        hasFailed = true
        if termination.signal == nil { printError(Line("fetch: \(Output.failure(code))")) }
    }
}
