#if !canImport(FoundationNetworking)
import Foundation
import NetworkIndicator

/// Sends the requests of an exchange in the caller's session, with a delegate for each task.
///
/// Downloads also use data tasks, because on Linux, a failed download task can't be resumed.
final class AppleWire: NSObject, Wire, URLSessionDataDelegate {
    private struct State {
        var task: URLSessionTask?
        var client: (any WireClient)?
        var isCancelled = false
        var hasReceived = false
    }

    private let session: URLSession
    private let state = Lock(State())

    init(_ session: URLSession) { self.session = session }

    static func settings(of session: URLSession) -> SessionSettings { SessionSettings(session.configuration) }

    func start(_ request: URLRequest, _ body: RequestBody, for client: any WireClient) {
        state.withLock { $0.task.take() }?.cancel()
        DispatchQueue.urlSession.async { [self] in
            let content: RequestBody
            do throws(URLError) {
                content = try body.opened(intoMemory: false)
            } catch {
                return client.receive(.completed(nil, error))
            }
            let task = content.makeTask(request, in: session)
            task.delegate = self
            let isOpen = state.withLock { state in
                if !state.isCancelled { (state.task, state.client) = (task, client) }
                return !state.isCancelled
            }
            if isOpen { task.resume() } else { task.cancel() }
        }
    }

    func cancel() {
        let (task, client) = state.withLock { state in
            state.isCancelled = true
            return (state.task.take(), state.client.take())
        }
        withExtendedLifetime(client) { task?.cancel() }
    }

    func retire() {}

    var silence: Duration { .zero }

    var hasReceived: Bool { state.withLock(\.hasReceived) }

    private func client(of task: URLSessionTask) -> (any WireClient)? {
        state.withLock { $0.task === task ? $0.client : nil }
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        state.withLock { $0.hasReceived = true }
        client(of: dataTask)?.receive(.response(response))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        client(of: dataTask)?.receive(.data(data))
    }

    /// A cache would store the contents of a file a second time.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(client(of: dataTask)?.mayBeCached == true ? proposedResponse : nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        client(of: task)?.receive(.sent(totalBytesSent, of: totalBytesExpectedToSend))
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        client(of: task)?.receive(.offline)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        client(of: task)?.receive(.completed(task.response, error))
    }
}

// MARK: What URLSession does correctly

extension AppleWire {
    static let describesErrors = true
    static let supportsFTP = true
    static let brokenConnectionCodes: Set<URLError.Code> = []

    static func corrected(_ error: URLError) -> URLError { error }

    static func isRefusedByRequest(_ error: URLError) -> Bool { error.networkUnavailableReason != nil }
}
#endif
