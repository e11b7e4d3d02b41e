import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Measures the bounds of `URLSessionTask.tracked()` in real time, in a subprocess of the tests. Each run measures one
// scene.
alarm(300)  // ends the program after five minutes, in case its test has ended
let arguments = CommandLine.arguments.dropFirst()
let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 1
switch arguments.first {
case "idle-waits": run { try await IdleWaits().run(count) }
case "short-requests": run { try await ShortRequests().run(count) }
case "late-resumes": run { try await LateResumes().run(count) }
// The meter would wake the process itself, about 180 times a second.
case "parked-tasks": run(measuresStalls: false) { try await ParkedTasks().run(count) }
case "session-storm": run { try await SessionStorm().run(count) }
case "blocked-pool": try BlockedPool().run()
default:
    let scenes = "idle-waits|short-requests|late-resumes|parked-tasks|session-storm|blocked-pool"
    print("Usage: TrackedTaskHost \(scenes) [COUNT]")
    exit(64)
}
RunLoop.main.run()

/// Runs a scene while the main thread runs its run loop, as an app's does.
func run(measuresStalls: Bool = true, _ scene: @escaping @Sendable () async throws -> Void) {
    let meter = measuresStalls ? StallMeter() : nil
    Task.detached {
        do {
            try await scene()
            if let meter { report("stall", meter.longest.milliseconds) }
            exit(0)
        } catch {
            report("error", error)
            exit(1)
        }
    }
}

/// Unlike `print`, it isn't buffered, so the line arrives even if the program is killed.
func report(_ what: String, _ value: Any) {
    FileHandle.standardOutput.write(Data("\(what): \(value)\n".utf8))
}
