import Foundation
import NetworkIndicatorTerminal

/// Writes to standard output and standard error without damaging the indicator's row.
@MainActor
final class Console {
    private let indicator: TerminalIndicator
    let termination: Termination
    /// The descriptor of results: standard output, or standard error if standard output receives a file.
    private let descriptor: Int32
    /// The colours of results.
    let style: TerminalStyle
    let errorStyle = TerminalStyle(for: STDERR_FILENO)
    /// Whether results go to a terminal, where they have one more column.
    let isTerminal: Bool
    /// Whether a result could not be written.
    private(set) var hasFailed = false

    init(indicator: TerminalIndicator, termination: Termination, outputIsForFile: Bool) {
        self.indicator = indicator
        self.termination = termination
        descriptor = outputIsForFile ? STDERR_FILENO : STDOUT_FILENO
        style = TerminalStyle(for: descriptor)
        isTerminal = isatty(descriptor) == 1
    }

    /// Prints a result.
    ///
    /// - Parameters:
    ///   - text: The end of the line. It is made printable.
    ///   - beginning: The beginning of the line. It may be coloured.
    func print(_ text: String, after beginning: String = "") {
        let line = beginning + text.printable
        // A signal is ending the program, and the reader is lost or stalled. Waiting for it at each remaining line
        // could take long.
        if hasFailed, termination.signal != nil { return }
        let code = indicator.suspend { Output.print(line, to: descriptor, until: { termination.signal != nil }) }
        if code == EPIPE { termination.begin(by: SIGPIPE) }
        guard code != 0, !hasFailed else { return }
        hasFailed = true
        // Errors go to standard error. If it is the descriptor that failed, they can't be written either.
        if termination.signal == nil, descriptor != STDERR_FILENO { printError(Output.failure(code)) }
    }

    /// Prints an error above the indicator.
    func printError(_ text: String) { indicator.print("fetch: \(text)".printable) }

    /// Prints that a file was not fetched.
    func printFailure(_ text: String) {
        guard errorStyle.usesColor else { return printError(text) }
        indicator.print(errorStyle.failureMark + text.printable)
    }
}
