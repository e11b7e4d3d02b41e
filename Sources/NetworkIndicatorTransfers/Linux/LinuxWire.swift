#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// Sends the requests of an exchange in a sibling of the caller's session, and follows redirects itself. When
/// Foundation is mended, delete this folder, and use `AppleWire`.
final class LinuxWire: Wire {
    private struct State {
        var client: (any WireClient)?
        var task: URLSessionTask?
        /// The latest request and its body. After redirects, both can differ from those of the exchange.
        var sent: (request: URLRequest, body: RequestBody)?
        var redirects = 0
        /// A final response to an `https` request. URLSession delivers a proxy's response to `CONNECT` as such a
        /// response (no issue has been filed). A response therefore counts only when data, its completion or a
        /// challenge follows. Another response replaces it, and an error drops it.
        var held: URLResponse?
        /// The reading time of the last activity, or `nil` while the server needn't send anything.
        var active: BoundedDelegateQueue.Instant?
        var hasReceived = false
        var isCancelled = false
    }

    let principal: URLSession
    private let sibling: SiblingSession
    private let state = Lock(State())

    init(_ principal: URLSession) {
        self.principal = principal
        sibling = .of(principal)
    }

    // MARK: Wire

    static func settings(of session: URLSession) -> SessionSettings { SiblingSession.of(session).settings }

    func start(_ request: URLRequest, _ body: RequestBody, for client: any WireClient) {
        if let task = forgetTask() { sibling.cancel(task) }
        state.withLock { state in
            state.redirects = 0
            if !state.isCancelled { state.client = client }
        }
        var request = request
        for (name, value) in sibling.settings.headers where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        send(request, body)
    }

    func cancel() {
        let (client, task) = state.withLock { state in
            state.isCancelled = true
            return (state.client.take(), state.task.take())
        }
        withExtendedLifetime(client) {
            if let task { sibling.cancel(task) }
        }
    }

    func retire() { sibling.retire(from: principal) }

    var silence: Duration {
        // The activity is read later, because it must not be older than the deliveries.
        let delivered = sibling.queue.deliveryTime
        return state.withLock(\.active).map { max(.zero, $0.duration(to: delivered)) } ?? .zero
    }

    var hasReceived: Bool { state.withLock(\.hasReceived) }

    // MARK: Tasks

    /// The wire reads files itself, because URLSession traps if a file upload ends while URLSession reads the file.
    private func send(_ request: URLRequest, _ body: RequestBody) {
        resumeClock()
        guard case .file = body else { return create(request, body, body) }
        // The file has a queue of its own, because reading a long file must not delay other calls.
        DispatchQueue(label: "NetworkIndicator.LinuxWire").async { [self] in
            if state.withLock(\.isCancelled) { return }
            do throws(URLError) {
                create(request, body, try body.opened(intoMemory: true))
            } catch {
                fail(error)
            }
        }
    }

    private func create(_ request: URLRequest, _ body: RequestBody, _ content: RequestBody) {
        DispatchQueue.urlSession.async { [self] in
            guard state.withLock({ !$0.isCancelled }) else { return }
            var timeless = request
            // `silence` replaces URLSession's request timeout. The new value is finite, because URLSession traps if the
            // timeout is infinite.
            timeless.timeoutInterval = 2e9
            let task = content.makeTask(timeless, in: sibling)
            sibling.calls.withLock { $0[task.taskIdentifier] = SiblingSession.Call(task: task, wire: self) }
            let isOpen = state.withLock { state in
                guard !state.isCancelled else { return false }
                (state.task, state.sent) = (task, (request, body))
                return true
            }
            // URLSession retains a task that is neither resumed nor cancelled.
            if isOpen { task.resume() } else { sibling.cancel(task) }
        }
    }

    private func forgetTask() -> URLSessionTask? {
        state.withLock { state in
            state.held = nil
            return state.task.take()
        }
    }

    func isPerforming(_ task: URLSessionTask) -> Bool { state.withLock { $0.task === task } }

    private func fail(_ error: URLError) { state.withLock(\.client)?.receive(.completed(nil, error)) }

    // MARK: Events

    /// - Returns: The client, unless another task has replaced the task.
    private func noteActivity(of task: URLSessionTask, _ change: (inout State) -> Void = { _ in }) -> (any WireClient)?
    {
        let now = sibling.queue.readingTime
        return state.withLock { state in
            guard state.task === task else { return nil }
            state.active = now
            change(&state)
            return state.client
        }
    }

    func receive(_ response: URLResponse, for task: URLSessionTask) {
        var isHeld = false
        let client = noteActivity(of: task) { state in
            state.hasReceived = true
            isHeld = state.sent?.request.url?.scheme == "https"
            if isHeld { state.held = response }
        }
        if !isHeld { client?.receive(.response(response)) }
    }

    func receive(_ data: Data, for task: URLSessionTask) {
        var held: URLResponse?
        let client = noteActivity(of: task) { held = $0.held.take() }
        if let held {
            client?.receive(.response(held))
            guard isPerforming(task) else { return }
        }
        client?.receive(.data(data))
    }

    func noteSent(_ count: Int64, of total: Int64, for task: URLSessionTask) {
        noteActivity(of: task)?.receive(.sent(count, of: total))
    }

    func complete(_ task: URLSessionTask, _ error: (any Error)?) {
        if error == nil { deliverHeldResponse(of: task) }
        let client = state.withLock { state in
            guard state.task === task else { return (any WireClient)?.none }
            (state.task, state.held) = (nil, nil)
            return state.client
        }
        client?.receive(.completed(task.response, error))
    }

    /// URLSession doesn't deliver the response of a redirect. The held response then isn't the last one.
    func deliverHeldResponse(of task: URLSessionTask) {
        var held: URLResponse?
        let client = noteActivity(of: task) { held = $0.held.take() }
        if let held, held === task.response { client?.receive(.response(held)) }
    }

    // MARK: Decisions of the caller's delegate

    func resumeClock() {
        let now = sibling.queue.readingTime
        state.withLock { $0.active = now }
    }

    func ask(_ question: @escaping @Sendable (URLSession, any URLSessionTaskDelegate) -> Void) -> Bool {
        guard let delegate = principal.delegate as? any URLSessionTaskDelegate else { return false }
        state.withLock { $0.active = nil }
        principal.delegateQueue.addOperation { [principal] in question(principal, delegate) }
        return true
    }

    func deliver(_ event: WireEvent) { state.withLock(\.client)?.receive(event) }

    func redirect(_ task: URLSessionTask, _ response: HTTPURLResponse) {
        guard isPerforming(task), let request = state.withLock(\.sent)?.request, forgetTask() != nil else { return }
        state.withLock { $0.hasReceived = true }
        do throws(URLError) {
            guard let next = try Redirect.request(following: response, of: request) else {
                return follow(nil, response)
            }
            let isAsked = ask { principal, delegate in
                delegate.urlSession(
                    principal, task: task, willPerformHTTPRedirection: response, newRequest: next
                ) { self.follow($0, response) }
            }
            if !isAsked { follow(next, response) }
        } catch {
            fail(error)
        }
    }

    private func follow(_ next: URLRequest?, _ response: HTTPURLResponse) {
        resumeClock()
        guard let next, let sent = state.withLock(\.sent) else { return deliver(.completed(response, nil)) }
        if let error = next.url?.unusable { return fail(error) }
        let count = state.withLock { state in
            state.redirects += 1
            return state.redirects
        }
        if count > Redirect.limit {
            let reason = "more than \(Redirect.limit) redirects"
            return fail(URLError(.httpTooManyRedirects, reason: reason, url: next.url))
        }
        let becomesGet = Redirect.becomesGet(after: response.statusCode, sent.request.httpMethod)
        send(next, !becomesGet && next.httpMethod == sent.request.httpMethod ? sent.body : .ofRequest)
    }
}
#endif
