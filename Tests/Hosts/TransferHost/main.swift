import Foundation

// Runs code that may hang, crash or change the machine's network, for tests with a watchdog.
alarm(600)  // ends the program after ten minutes, in case its test has ended
switch CommandLine.arguments.dropFirst().first {
case "storm":
    let tracksSession = CommandLine.arguments.contains("tracked")
    try await Storm(rounds: Int(CommandLine.arguments[2]) ?? 50, tracksSession: tracksSession).run()
case "files": try await FileStorm(runs: Int(CommandLine.arguments[2]) ?? 5, seed: 13).run()
case "cancelled-uploads": try await CancelledUploads().run(60)
case "cancellation-storm": try await CancellationStorm().run()
case "early-cancellations": try await EarlyCancellations().run(10_000)
case "late-response": try await LateResponse().run()
case "first-requests": try await FirstRequests().run()
case "slow-handler": try await SlowHandler().run()
case "blocked-pool": try await BlockedPool().run()
case "removed-directory": try await removedDirectory()
#if os(Linux)
case "offline": try await OfflineScene().run()
case "http2": try await HTTP2Scene().run()
#endif
default:
    print(
        """
        Usage: TransferHost storm ROUNDS [tracked] | files RUNS | cancelled-uploads
                              | cancellation-storm | early-cancellations
                              | late-response | first-requests | slow-handler | blocked-pool | removed-directory
                              | offline | http2
        """)
    exit(64)
}

/// Unlike `print`, it isn't buffered, so the text arrives even if the program is killed.
func report(_ what: String, _ value: Any) {
    FileHandle.standardOutput.write(Data("\(what): \(value)\n".utf8))
}
