/*:
 [Previous](@previous)

 # URLSession

 `NetworkIndicatorURLSession` tracks requests, and tries those again that failed for the moment. The indicator is on while
 the network is in use, and off while a retry waits.

 So that this page needs no network, it asks a port of this machine at which nobody listens. Put an address of your own,
 and see the difference.
 */
import Foundation
import NetworkIndicator
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if canImport(PlaygroundSupport)
import PlaygroundSupport

PlaygroundPage.current.needsIndefiniteExecution = true
#endif

let url = URL(string: "http://127.0.0.1:1/")!
let manager = NetworkIndicatorManager.shared
//: The standard policy tries again twice, after random delays of half a second and of one second at most.
var policy = RetryPolicy.standard
policy.maximumRetries = 2

@MainActor
func load() async {
    do {
        let (data, _) = try await URLSession.shared.trackedData(from: url, policy: policy) { event in
            switch event {
            case .started(let attempt): print("attempt \(attempt)")
            case .willRetry(let attempt, _, _): print("will make attempt \(attempt)")
            case .waitingForConnectivity: print("offline")
            case .progress: break
            case .finished: print("finished")
            }
        }
        print("\(data.count) bytes")
    } catch let error as NetworkRequestError {
        print("cannot connect: \(error.code == .cannotConnectToHost), after \(error.attempts) attempts")
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
//: A task of your own is tracked from its `resume()` to its end. Nothing is retried.
var isAnswered = false
let task = URLSession.shared.dataTask(with: url) { _, _, error in
    print("answered: \(error == nil)")
    Task { @MainActor in isAnswered = true }
}
task.tracked().resume()
wait { isAnswered && !manager.isIndicatorVisible }
print("\(manager.activeTaskCount) tasks")

#if canImport(PlaygroundSupport)
PlaygroundPage.current.finishExecution()
#endif
//: [Next](@next)
