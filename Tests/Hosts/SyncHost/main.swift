// Hosts of the main thread in which nothing is asynchronous: SyncHost HOST PLOT.
import Foundation
import HostStory

let arguments = CommandLine.arguments.dropFirst()
let story = Story(arguments: arguments.dropFirst())

switch arguments.first {
case "runLoop":
    story.begin()
    RunLoop.main.run()
case "runLoopSlices":
    story.begin()
    while true { _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05)) }
case "dispatchMain":
    story.begin()
    dispatchMain()
case "nestedRunLoop":
    // As a modal panel does: main-queue blocks wait until the inner run loop ends, which it doesn't here.
    DispatchQueue.main.async {
        story.begin()
        RunLoop.main.run(until: .distantFuture)
    }
    RunLoop.main.run()
case "handover":
    story.begin()
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.25))
    dispatchMain()
default:
    print("usage: SyncHost runLoop|runLoopSlices|dispatchMain|nestedRunLoop|handover PLOT")
    exit(2)
}
