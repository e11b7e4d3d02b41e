import Foundation
import NetworkIndicator
import NetworkIndicatorTerminal

@main
enum TerminalRow {
    static func main() async throws {
        let position = Position()
        switch CommandLine.arguments.last {
        case "bar":
            NetworkIndicatorManager.shared.attach(
                TerminalIndicator {
                    .init(
                        "film.mp4", fraction: Double(position.value) / 1000, details: ["\(position.value)/1000"])
                })
        case "spinner":
            NetworkIndicatorManager.shared.attach(TerminalIndicator("Fetching film.mp4"))
        default:
            Thread.detachNewThread {
                while true {
                    usleep(100_000)
                    write(STDERR_FILENO, "\r \u{1B}[35m⠋\u{1B}[39m\r", 16)
                }
            }
        }
        Thread.detachNewThread {
            while true {
                usleep(100_000)
                position.value += 1
            }
        }
        try await NetworkIndicatorManager.shared.withNetworkTask { try await Task.sleep(for: .seconds(3600)) }
    }
}

private final class Position: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0  // guarded by `lock`

    var value: Int {
        get { lock.withLock { count } }
        set { lock.withLock { count = newValue } }
    }
}
