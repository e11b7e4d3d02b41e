import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A delegate that decides about a redirect after the timeout. The server isn't silent meanwhile.
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
            let (url, _) = try await session.trackedDownload(for: request, policy: .never, manager: manager)
            try FileManager.default.removeItem(at: url)
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
            Thread.sleep(forTimeInterval: 3)
            completionHandler(request)
        }.start()
    }
}
