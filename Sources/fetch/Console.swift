import Foundation
import NetworkIndicator
import NetworkIndicatorTerminal

/// Standard output and standard error, beside an indicator. Any thread; lines stay whole.
final class Console: Sendable {
    private let indicator: TerminalIndicator
    private let termination: Termination
    private let sharesTerminal = isatty(STDOUT_FILENO) == 1
    private let outputFailed = Lock(false)

    init(indicator: TerminalIndicator, termination: Termination) {
        self.indicator = indicator
        self.termination = termination
    }

    /// Whether a line did not get to standard output.
    var hasFailed: Bool { outputFailed.withLock { $0 } }

    /// Prints a line to standard output; above the indicator, where that is on the same terminal.
    func print(_ line: String) {
        let line = line.printable
        let code =
            sharesTerminal
            ? indicator.suspend { Self.write(line, to: STDOUT_FILENO) } : Self.write(line, to: STDOUT_FILENO)
        // Nobody reads any more. Suspended, as the indicator does not know that this signal ends the program.
        if code == EPIPE, !termination.ignoresLostReaders { indicator.suspend { termination.end(by: SIGPIPE) } }
        guard code != 0,
            outputFailed.withLock({ wasTold in
                defer { wasTold = true }
                return !wasTold
            })
        else { return }
        printError(Self.failure(code))
    }

    /// Prints a line to standard error, above the indicator where that is on.
    func printError(_ line: String) {
        indicator.print("fetch: \(line.printable)")
    }

    static func failure(_ code: Int32) -> String {
        "cannot write to standard output: \(String(cString: strerror(code)))"
    }

    /// - Returns: 0 or an `errno`.
    static func write(_ line: String, to descriptor: Int32) -> Int32 {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let (count, code) = rest.withUnsafeBytes {
                (Foundation.write(descriptor, $0.baseAddress, $0.count), errno)
            }
            if count > 0 {
                rest.removeFirst(count)
            } else if code == EAGAIN {
                // The descriptor may share its description with somebody who made it non-blocking.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, -1)
            } else if code != EINTR {
                return code
            }
        }
        return 0
    }
}
