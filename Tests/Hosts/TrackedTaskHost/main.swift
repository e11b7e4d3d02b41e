import Foundation

alarm(300)  // watchdog
let arguments = CommandLine.arguments.dropFirst()
let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 1
switch arguments.first {
case "idle-waits": run { try await IdleWaits().run(count) }
case "blocked-pool": try BlockedPool().run()
default: exit(64)
}
RunLoop.main.run()

func run(_ scene: @escaping @Sendable () async throws -> Void) {
    Task.detached {
        do {
            try await scene()
            exit(0)
        } catch {
            report("error", error)
            exit(1)
        }
    }
}

/// `FileHandle` doesn't buffer the output, so a crash loses none of it.
func report(_ what: String, _ value: Any) {
    FileHandle.standardOutput.write(Data("\(what): \(value)\n".utf8))
}
