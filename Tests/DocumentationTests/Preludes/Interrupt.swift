import Foundation
import NetworkIndicatorTerminal

let indicator = TerminalIndicator(label: { "Fetching" })
let failed = 0

/// Stands for the work of the sample, during which Ctrl-C is pressed.
@MainActor func downloadAll() async throws {
    kill(getpid(), SIGINT)
    try await Task.sleep(for: .seconds(60))
}

/// The sample ends by the signal, but the test expects an exit.
@discardableResult func raise(_ number: Int32) -> Int32 { exit(number == SIGINT ? 0 : 1) }
