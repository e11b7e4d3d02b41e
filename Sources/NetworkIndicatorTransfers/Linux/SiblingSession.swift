#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// A session that follows a redirect before the end of a long body, and then closes the connection.
///
/// URLSession on Linux reports a redirect only after it has received the whole body. For each piece of this body, it
/// copies all bytes received so far, on a queue that all sessions of the process share (no issue has been filed). An
/// endless body would therefore stop all sessions. When the fault is fixed, delete this class.
///
/// `@unchecked Sendable`, like `URLSession`: a lock guards the added state, and the queues are assigned in `init`.
final class SiblingSession: URLSession, @unchecked Sendable {
    private struct State {
        /// The tasks whose response may be a redirect, and the time at which a check found one.
        var tasks: [Int: (task: URLSessionTask, redirected: ExchangeClock.Instant?)] = [:]
        var isCheckScheduled = false
    }

    private let state = Lock(State())
    private(set) var readingQueue: DispatchQueue?
    private var sessionQueue: DispatchQueue?

    init(_ configuration: URLSessionConfiguration, _ delegate: ExchangeDelegate, _ queue: BoundedDelegateQueue) {
        super.init(configuration: configuration, delegate: delegate, delegateQueue: queue)
        readingQueue = Reflection.value(of: self, "multiHandle", "queue") as? DispatchQueue
        sessionQueue = Reflection.value(of: self, "workQueue") as? DispatchQueue
        queue.state.withLock { $0.readingQueue = readingQueue }
    }

    func add(_ task: URLSessionTask) { state.withLock { $0.tasks[task.taskIdentifier] = (task, nil) } }

    func remove(_ task: URLSessionTask) { state.withLock { $0.tasks[task.taskIdentifier] = nil } }

    /// URLSession reads this property on its reading queue after the headers of a response, even of a redirect.
    override var delegate: (any URLSessionDelegate)? {
        let needsCheck = state.withLock { state in
            guard !state.isCheckScheduled, state.tasks.values.contains(where: \.task.hasLongBody) else { return false }
            state.isCheckScheduled = true
            return true
        }
        if needsCheck, let readingQueue, let sessionQueue {
            // The suspension takes effect when the current block of the reading queue ends. Without it, the check would
            // come after many megabytes of a body.
            readingQueue.suspend()
            sessionQueue.async { [self] in
                state.withLock { $0.isCheckScheduled = false }
                check()
                readingQueue.resume()
            }
        }
        return super.delegate
    }

    /// URLSession uses its tasks only on the work queue and on queues that target it, such as the reading queue.
    private func check() {
        guard let delegate = super.delegate as? ExchangeDelegate, let readingQueue else { return }
        var isSlow = false
        for (id, (task, redirected)) in state.withLock(\.tasks) where task.hasLongBody {
            guard task.error == nil, task.response.map({ $0.status < 200 }) ?? true else {
                state.withLock { $0.tasks[id] = nil }
                continue
            }
            guard let (response, bodyLength) = Reflection.redirect(of: task) else { continue }
            let began = redirected ?? .now
            let isAllowed = bodyLength <= Exchange.State.ignoredBytesLimit && .now < began + Exchange.ignoredBodyTimeout
            if isAllowed, delegate.exchange(task)?.call.session.delegate is any URLSessionTaskDelegate {
                // If the caller's delegate refuses the redirect, the caller receives the body.
                state.withLock { $0.tasks[id] = (task, began) }
                isSlow = true
            } else {
                state.withLock { $0.tasks[id] = nil }
                readingQueue.suspend()
                delegateQueue.addOperation {
                    TaskCancellations.cancel([task])
                    readingQueue.resume()
                    delegate.follow(response, insteadOf: task)
                }
            }
        }
        if isSlow { readingQueue.asyncAfter(deadline: .now() + 0.05) { [weak self] in self?.check() } }
    }
}

extension URLSessionTask {
    /// The length is 0 before a response, and negative if it is unknown.
    fileprivate var hasLongBody: Bool {
        !(0...Int64(Exchange.State.ignoredBytesLimit)).contains(countOfBytesExpectedToReceive)
    }
}

extension URLResponse {
    var status: Int { (self as? HTTPURLResponse)?.statusCode ?? 200 }
}

/// Reads properties of URLSession that have no API. If a property isn't found, URLSession's faults have their effect.
private enum Reflection {
    static func redirect(of task: URLSessionTask) -> (HTTPURLResponse, bodyLength: Int)? {
        guard let loader = value(of: task, "_protocolStorage", "existing"),
            let response = value(of: loader, "internalState", "transferInProgress", "response") as? HTTPURLResponse,
            301...308 ~= response.statusCode
        else { return nil }
        return (response, (value(of: loader, "lastRedirectBody") as? Data)?.count ?? 0)
    }

    static func value(of object: Any, _ path: String...) -> Any? {
        var value = object
        for name in path {
            let mirrors = sequence(first: Mirror(reflecting: value), next: \.superclassMirror)
            guard let child = mirrors.lazy.flatMap(\.children).first(where: { $0.label == name }) else { return nil }
            let mirror = Mirror(reflecting: child.value)
            guard mirror.displayStyle == .optional else {
                value = child.value
                continue
            }
            guard let some = mirror.children.first else { return nil }
            value = some.value
        }
        return value
    }
}
#endif
