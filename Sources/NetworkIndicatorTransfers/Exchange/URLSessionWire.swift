import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends the requests of an exchange with URLSession: all requests on Apple's systems, and on Linux those that
/// ``CurlWire`` can't send.
///
/// Tasks have this wire as their delegate. On Apple's systems, they belong to the caller's session. On Linux, where a
/// task passes no data to its own delegate, each request has a session. Downloads use data tasks, because on Linux, a
/// failed download task can't be resumed.
final class URLSessionWire: NSObject, Wire, URLSessionDataDelegate {
    private struct Call {
        let session: URLSession
        let task: URLSessionTask
        let client: any WireClient
    }

    private struct State {
        var call: Call?
        var isCancelled = false
        var hasReceived = false
        var completedTask: ObjectIdentifier?
    }

    private let principal: URLSession
    private let usesOwnSessions: Bool
    private let state = Lock(State())

    /// - Parameter usesOwnSessions: Whether each request has a session, and faults of URLSession on Linux are avoided.
    init(_ session: URLSession, usesOwnSessions: Bool) {
        principal = session
        self.usesOwnSessions = usesOwnSessions
    }

    func start(_ request: URLRequest, _ body: RequestBody, for client: any WireClient) {
        end(state.withLock { $0.call.take() })
        // Reading a file can block, and must not delay other calls.
        let queue = DispatchQueue(label: "NetworkIndicator.URLSessionWire")
        queue.async { [self] in
            do throws(URLError) {
                let content = try body.checked(readsFile: usesOwnSessions)
                (usesOwnSessions ? .urlSession : queue).async { self.send(request, content, for: client) }
            } catch {
                client.receive(.completed(nil, error))
            }
        }
    }

    private func send(_ request: URLRequest, _ body: RequestBody, for client: any WireClient) {
        // After the call's end, the caller can invalidate the session. Creating a task would then end the process.
        if state.withLock(\.isCancelled) { return }
        let session = session()
        let task = body.makeTask(adapted(request, body), in: session, delegate: self)
        let call = Call(session: session, task: task, client: client)
        let isOpen = state.withLock { state in
            if !state.isCancelled { state.call = call }
            return !state.isCancelled
        }
        if isOpen { task.resume() } else { end(call) }
    }

    func cancel() {
        end(
            state.withLock { state in
                state.isCancelled = true
                return state.call.take()
            })
    }

    var silence: Duration? { nil }

    var hasReceived: Bool { state.withLock(\.hasReceived) }

    private func client(of task: URLSessionTask) -> (any WireClient)? {
        state.withLock { $0.call?.task === task ? $0.call?.client : nil }
    }

    // MARK: Differences between the systems

    /// Called on one queue, because on Linux, copying a configuration on several threads at once corrupts memory.
    private func session() -> URLSession {
        guard usesOwnSessions else { return principal }
        return URLSession(configuration: principal.configuration, delegate: self, delegateQueue: nil)
    }

    /// URLSession on Linux ignores the fraction of a timeout, so 0.5 s would become no time.
    private func adapted(_ request: URLRequest, _ body: RequestBody) -> URLRequest {
        guard usesOwnSessions else { return request }
        var request = request
        // Otherwise, protocol classes such as stubs wouldn't receive the body of an upload.
        if case .data(let data) = body { request.httpBody = data }
        request.timeoutInterval = min(request.timeoutInterval.rounded(.up), 2e6)
        return request
    }

    /// URLSession on Linux traps if a task completes while it is being cancelled (swift-corelibs-foundation #3296), and
    /// `cancel()` can deadlock in a Swift task's cancellation handler (#5412). Tasks complete on the serial delegate
    /// queue.
    private func end(_ call: Call?) {
        guard let call else { return }
        guard usesOwnSessions else { return call.task.cancel() }
        call.session.delegateQueue.addOperation { [self] in
            if state.withLock({ $0.completedTask != ObjectIdentifier(call.task) }) {
                call.task.cancel()
                // Reading the property waits for the task's queue. The cancellation has two steps.
                for _ in 1...2 { _ = call.task.priority }
            }
            call.session.finishTasksAndInvalidate()
        }
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        state.withLock { $0.hasReceived = true }
        // URLSession on Linux delivers 1xx responses before the final response.
        if response.isFinal { client(of: dataTask)?.receive(.response(response)) }
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
        completionHandler(client(of: dataTask)?.receivesFile == false ? proposedResponse : nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        client(of: task)?.receive(.sent(totalBytesSent, of: totalBytesExpectedToSend))
    }

    /// Called on Apple's systems only.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        client(of: task)?.receive(.offline)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        state.withLock { $0.completedTask = ObjectIdentifier(task) }
        client(of: task)?.receive(.completed(task.response, error))
    }
}
