/*:
 [Previous](@previous)

 # URLSession

 `NetworkIndicatorTransfers` sends requests, and retries them after transient failures. The manager tracks the attempts,
 but not the waits between them.

 This page needs no network, because a `URLProtocol` responds to its requests.
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

//: The first request loses its connection, and all later requests succeed.
final class Server: URLProtocol {
    // This page sends one request after another.
    nonisolated(unsafe) private static var requestCount = 0

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        Self.requestCount += 1
        guard Self.requestCount > 1, let url = request.url else {
            client?.urlProtocol(self, didFailWithError: URLError(.networkConnectionLost))
            return
        }
        let response = URLResponse(
            url: url, mimeType: "text/plain", expectedContentLength: 5, textEncodingName: nil)
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("Hello".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }
}

let configuration = URLSessionConfiguration.ephemeral
configuration.protocolClasses = [Server.self]
let session = URLSession(configuration: configuration)
let url = URL(string: "http://example.com/")!
let manager = NetworkIndicatorManager.shared
//: Two retries are the default. The delays are random: up to 0.5 s before the first retry, and up to 1 s before the
//: second.
var policy = TrackedRetryPolicy.standard
policy.maximumRetries = 2

@MainActor
func load() async {
    do {
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
let task = session.dataTask(with: url) { _, _, error in
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
