import Foundation
import NetworkIndicatorTerminal

@MainActor
final class Console {
    private let indicator: TerminalIndicator
    private let isQuiet: Bool
    private let colors = TerminalColors()
    private(set) var hasFailed = false

    init(_ indicator: TerminalIndicator, isQuiet: Bool) {
        self.indicator = indicator
        self.isQuiet = isQuiet
    }

    func printFile(_ path: String, _ size: Int64, _ time: String) {
        let columns = [size.text, time].map { String(repeating: " ", count: max(0, 9 - $0.count)) + $0 + "  " }
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
            printError("cannot write to standard output: \(error.localizedDescription)")
        }
    }

    nonisolated func printError(_ text: String, isFailure: Bool = false) {
        let mark = isFailure ? TerminalColors(for: STDERR_FILENO).failureMark : ""
        indicator.print(mark + "fetch: \(text)".printable)
    }
}
