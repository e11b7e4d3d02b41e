/*:
 [Previous](@previous)

 # URLSession

 `NetworkIndicatorTransfers` sends requests, and retries them after transient failures. The manager tracks the attempts,
 but not the waits between them.

 This page needs no network, because it connects to a port of this machine on which usually no program listens. To see a
 request succeed, change the URL.
 */
import Foundation
import NetworkIndicator
import NetworkIndicatorTransfers
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if !SWIFT_PACKAGE
import PlaygroundSupport

PlaygroundPage.current.needsIndefiniteExecution = true
#endif

let url = URL(string: "http://127.0.0.1:1/")!
let manager = NetworkIndicatorManager.shared
//: Two retries are the default. The delays are random: up to 0.5 s before the first retry, and up to 1 s before the
//: second.
var policy = TrackedRetryPolicy.standard
policy.maximumRetries = 2

@MainActor
func load() async {
    do {
        let (data, _) = try await URLSession.shared.trackedData(from: url, policy: policy) { event in
            switch event {
            case .started(let attempt): print("attempt \(attempt)")
            case .willRetry(let attempt, _, _): print("will make attempt \(attempt)")
            case .waitingForConnectivity: print("offline")
            case .receiving, .progress: break
            case .finished: print("finished")
            }
        }
        print("\(data.count) bytes")
    } catch let error as NetworkRequestError {
        print("cannot connect: \(error.code == .cannotConnectToHost), after \(error.attemptCount) attempts")
    } catch {
        print(error)
    }
}

func wait(until condition: () -> Bool) {
    while !condition() { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02)) }
}

var isOver = false
Task {
    await load()
    isOver = true
}
wait { isOver }
//: `tracked()` tracks a task that you create, and doesn't retry it.
var isComplete = false
let task = URLSession.shared.dataTask(with: url) { _, _, error in
    print("succeeded: \(error == nil)")
    Task { @MainActor in isComplete = true }
}
task.tracked().resume()
wait { isComplete && !manager.isIndicatorVisible }
print("\(manager.activeTaskCount) tasks")

#if !SWIFT_PACKAGE
PlaygroundPage.current.finishExecution()
#endif
//: [Next](@next)
