import Foundation
import NetworkIndicatorTerminal

@MainActor
final class Console {
    private let indicator: TerminalIndicator
    private let isQuiet: Bool
    private(set) var hasFailed = false

    init(_ indicator: TerminalIndicator, isQuiet: Bool) {
        self.indicator = indicator
        self.isQuiet = isQuiet
    }

    func printFile(_ path: String, _ size: Int64, _ time: String) {
        let columns = [size.text, time].map { String(repeating: " ", count: max(0, 9 - $0.count)) + $0 + "  " }
        print(path, after: Self.mark("✓", color: 32, on: STDOUT_FILENO) + columns.joined())
    }

    private nonisolated static func mark(_ symbol: String, color: Int, on descriptor: Int32) -> String {
        let isColored = isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] ?? "" == ""
        return isColored ? "\u{1B}[\(color)m\(symbol)\u{1B}[39m " : ""
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
        let mark = isFailure ? Self.mark("✗", color: 31, on: STDERR_FILENO) : ""
        indicator.print(mark + "fetch: \(text)".printable)
    }
}
