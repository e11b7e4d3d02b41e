import Foundation
import NetworkIndicatorTerminal
import NetworkIndicatorTransfers

@MainActor
final class Console {
    private let indicator: TerminalIndicator
    private let isQuiet: Bool
    private(set) var hasFailed = false

    init(_ indicator: TerminalIndicator, isQuiet: Bool) {
        (self.indicator, self.isQuiet) = (indicator, isQuiet)
    }

    func printFile(_ path: String, _ size: Int64, _ time: String) {
        let columns = ["\(TransferProgress(completedBytes: size))", time].map {
            String(repeating: " ", count: max(0, 9 - $0.count)) + $0 + "  "
        }
        print(indicator.mark(isSuccess: true, on: STDOUT_FILENO) + columns.joined() + path)
    }

    func print(_ text: String) {
        if isQuiet || hasFailed { return }
        let error: Int32 = indicator.suspend {
            defer { indicator.redraw() }
            var rest = Array("\(text)\n".utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
                if count < 0, errno != EINTR { return errno }
                rest = rest.dropFirst(max(0, count))
            }
            return 0
        }
        guard error != 0 else { return }
        hasFailed = true
        printError("fetch: cannot write to standard output: \(String(cString: strerror(error)))")
    }

    func printFailure(_ text: String) { printError(indicator.mark(isSuccess: false, on: STDERR_FILENO) + text) }

    /// Prints a message that isn't a result. With `--quiet`, only errors and warnings are printed.
    nonisolated func printError(_ text: String, isNews: Bool = false) {
        if !isNews || !isQuiet { indicator.print(text) }
    }
}
