import Foundation
import NetworkIndicatorTerminal

/// Writes to standard output and standard error without damaging the indicator's row.
@MainActor
final class Console {
    let isQuiet: Bool
    private let indicator: TerminalIndicator
    private let interruption: Interruption
    private let style = TerminalStyle()
    /// The mark before the error of a file that was not fetched.
    let failureMark = TerminalStyle(for: STDERR_FILENO).failureMark
    /// Whether writing a result has failed.
    private(set) var hasFailed = false

    init(_ indicator: TerminalIndicator, _ interruption: Interruption, isQuiet: Bool) {
        self.indicator = indicator
        self.interruption = interruption
        self.isQuiet = isQuiet
    }

    /// Prints the result line for a complete file.
    func printFile(_ path: String, _ size: Int64, _ time: @autoclosure () -> String) {
        // Formatting both columns took 6 % of the CPU time of 2,000 small downloads.
        if isQuiet { return }
        let columns = [size.bytesText, time()].map { String(repeating: " ", count: max(0, 9 - $0.count)) + $0 + "  " }
        print(path, after: style.successMark + style.secondary(columns.joined()))
    }

    /// Prints a result to standard output, unless `--quiet` is set.
    ///
    /// - Parameters:
    ///   - text: The end of the line. Control characters in it are escaped.
    ///   - beginning: The beginning of the line, which may be coloured.
    func print(_ text: String, after beginning: String = "") {
        if isQuiet || hasFailed { return }
        do {
            try indicator.suspend {
                // The row reappears with current numbers, and without the file that the line reports.
                defer { indicator.redraw() }
                try FileHandle.standardOutput.write(contentsOf: Data("\(beginning)\(text.printable)\n".utf8))
            }
        } catch {
            hasFailed = true
            if (error as NSError).posixCode == EPIPE { return interruption.begin(by: SIGPIPE) }
            printError("cannot write to standard output: \(error.reason)")
        }
    }

    /// Prints a message to standard error.
    func printError(_ text: String, mark: String = "") { indicator.print(mark + "fetch: \(text)".printable) }
}
