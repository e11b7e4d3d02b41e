import Foundation
import NetworkIndicatorTerminal

@MainActor
final class Console {
    let isQuiet: Bool
    private let indicator: TerminalIndicator
    private let interruption: Interruption
    private let colors = TerminalColors()
    let failureMark = TerminalColors(for: STDERR_FILENO).failureMark
    private(set) var hasFailed = false

    init(_ indicator: TerminalIndicator, _ interruption: Interruption, isQuiet: Bool) {
        self.indicator = indicator
        self.interruption = interruption
        self.isQuiet = isQuiet
    }

    func printFile(_ path: String, _ size: Int64, _ time: @autoclosure () -> String) {
        // Formatting both columns took 6 % of the CPU time of 2,000 small downloads, so quiet mode skips the
        // formatting.
        if isQuiet { return }
        let columns = [size.bytesText, time()].map { String(repeating: " ", count: max(0, 9 - $0.count)) + $0 + "  " }
        print(path, after: colors.successMark + colors.secondary(columns.joined()))
    }

    func print(_ text: String, after beginning: String = "") {
        if isQuiet || hasFailed { return }
        do {
            try indicator.suspend {
                defer { indicator.redraw() }
                try FileHandle.standardOutput.write(contentsOf: Data("\(beginning)\(text.printable)\n".utf8))
            }
        } catch {
            hasFailed = true
            if (error as NSError).posixCode == EPIPE { return interruption.begin(by: SIGPIPE) }
            printError("cannot write to standard output: \(error.reason)")
        }
    }

    func redraw() { indicator.redraw() }

    func printError(_ text: String, mark: String = "") { indicator.print(mark + "fetch: \(text)".printable) }
}
