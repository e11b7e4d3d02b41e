import Foundation
import HostScenario

let arguments = CommandLine.arguments.dropFirst()
let scenario = Scenario(arguments: arguments.dropFirst())

switch arguments.first {
case "runLoop":
    scenario.begin()
    RunLoop.main.run()
case "runLoopSlices":
    scenario.begin()
    while true { _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05)) }
case "dispatchMain":
    scenario.begin()
    dispatchMain()
case "nestedRunLoop":
    DispatchQueue.main.async {
        scenario.begin()
        RunLoop.main.run(until: .distantFuture)
    }
    RunLoop.main.run()
case "handover":
    scenario.begin()
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.25))
    // Otherwise, the Thread Sanitizer doesn't see that the main queue leaves this thread.
    DispatchQueue.main.async {}
    dispatchMain()
default: exit(64)
}
