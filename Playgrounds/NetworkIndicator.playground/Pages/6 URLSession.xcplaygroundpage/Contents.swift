/*:
 [Previous](@previous)

 # URLSession

 `NetworkIndicatorTransfers` sends requests, and retries them after transient failures. The manager tracks the attempts,
 but not the waits between them. Here, the first request loses its connection, and all later requests succeed.
 */
import Foundation
import NetworkIndicator
import NetworkIndicatorTransfers
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

let manager = NetworkIndicatorManager.shared
let session = StubServer.session
let url = URL(string: "http://example.com/unreliable")!
//: Two retries are the default. The delays are random: up to 0.5 s before the first retry, and up to 1 s before the
//: second.
var policy = TrackedRetryPolicy.standard
policy.maximumRetries = 2

page {
    let (data, _) = try await session.trackedData(from: url, policy: policy) { event in
        switch event {
        case .started(let attempt): print("attempt \(attempt)")
        case .willRetry(let attempt, let failure, _): print("will make attempt \(attempt): \(failure)")
        case .waitingForConnectivity: print("offline")
        case .receiving, .progress: break
        case .finished: print("finished")
        }
    }
    print("\(String(decoding: data, as: UTF8.self)), \(data.count) bytes")

    // `tracked()` tracks a task that you create, and doesn't retry it.
    let task = session.dataTask(with: url) { _, _, error in print("succeeded: \(error == nil)") }
    task.tracked().resume()
    try await manager.waitUntilIdle()
    print("\(manager.activeTaskCount) tasks")
}
//: [Next](@next)
