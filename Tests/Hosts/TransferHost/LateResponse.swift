import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A delegate that decides about a redirect after the timeout. The server isn't silent meanwhile.
///
/// The timeout applies to the first response only. If a busy machine delays it, the request is made again, which doesn't
/// change the number of decisions.
struct LateResponse {
    func run() async throws {
        let server = try LoopbackServer()
        server.on("/", .redirect(to: "/file"))
        server.on("/file", .text("file"))
        let delegate = Delegate()
        let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        let manager = NetworkIndicatorManager(configuration: .immediate)
        var request = URLRequest(url: server.url("/"))
        request.timeoutInterval = 1
        var policy = TrackedRetryPolicy.standard
        policy.maximumRetries = 100
        do {
            let (url, _) = try await session.trackedDownload(for: request, policy: policy, manager: manager)
            try FileManager.default.removeItem(at: url)
            report("end", "a file")
        } catch let error as NetworkRequestError {
            report("end", error.underlyingError.code == .timedOut ? "timeout" : "\(error)")
        }
        report("decisions", delegate.decisionCount.withLock { $0 })
        let (url, _) = try await session.trackedDownload(from: server.url("/file"), policy: .never, manager: manager)
        try FileManager.default.removeItem(at: url)
        report("then", "a file")
    }
}

private final class Delegate: NSObject, URLSessionTaskDelegate {
    let decisionCount = Lock(0)

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        decisionCount.withLock { $0 += 1 }
        var request = request
        request.timeoutInterval = 240
        Thread { [request] in
            Thread.sleep(forTimeInterval: 3)
            completionHandler(request)
        }.start()
    }
}
