import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A delegate that decides about a redirect after URLSession has stopped waiting for it.
struct LateAnswer {
    func run() async throws {
        let server = try LoopbackServer()
        server.on("/", .redirect(to: "/file"))
        server.on("/file", .text("file"))
        let session = URLSession(configuration: .ephemeral, delegate: Delegate(), delegateQueue: nil)
        let manager = NetworkIndicatorManager(configuration: .immediate)
        var request = URLRequest(url: server.url("/"))
        request.timeoutInterval = 1
        do {
            _ = try await session.trackedDownload(for: request, policy: .never, manager: manager)
            report("end", "a file")
        } catch let error as NetworkRequestError {
            report("end", error.underlyingError.code == .timedOut ? "timeout" : "\(error)")
        }
        request.url = server.url("/file")
        let (url, _) = try await session.trackedDownload(for: request, policy: .never, manager: manager)
        try FileManager.default.removeItem(at: url)
        report("then", "a file")
    }
}

private final class Delegate: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        Thread {
            while task.response == nil { Thread.sleep(forTimeInterval: 0.02) }
            completionHandler(request)
        }.start()
    }
}
