#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// The session that sends the requests of the caller's session.
///
/// URLSession on Linux never delivers a task's response or data to `URLSessionTask.delegate`, and reuses an HTTP/2
/// connection that no longer responds (no issue has been filed for either fault). A sibling of the caller's session
/// therefore sends the requests, and is replaced after a timeout or a lost connection. All new requests of a session
/// use the same sibling, so that connections are reused and limited as usual.
final class Sibling: Sendable {
    let session: SiblingSession
    let queue = BoundedDelegateQueue()
    // Each session has its own delegate, because task identifiers are unique only within a session.
    let delegate = WireDelegate()
    let settings: SessionSettings

    init(of principal: URLSession) {
        // `configuration` returns the session's own object, which must not be changed.
        let configuration = principal.configuration.copy() as? URLSessionConfiguration ?? .default
        settings = SessionSettings(configuration)
        // URLSession adds these headers to every request, also credentials after a redirect to another host.
        // `SessionSettings` adds them instead.
        configuration.httpAdditionalHeaders = nil
        // URLSession traps if a cancelled task fails before the cache has responded on another thread.
        configuration.urlCache = nil
        // For every request, URLSession converts this timeout to `Int`, and traps if the conversion fails.
        configuration.timeoutIntervalForRequest = 60
        session = SiblingSession(configuration, delegate, queue)
    }

    // `retire(from:)` doesn't invalidate the session, because creating a task in an invalidated session traps.
    deinit { session.finishTasksAndInvalidate() }

    private struct Entry {
        weak var principal: URLSession?
        let sibling: Sibling
    }

    private static let entries = Lock<[ObjectIdentifier: Entry]>([:])

    /// This method also releases the siblings of deallocated sessions, because the siblings' open connections could
    /// exhaust the file descriptors.
    static func of(_ principal: URLSession) -> Sibling {
        let (sibling, principals, orphans) = entries.withLock { entries in
            let principals = entries.mapValues(\.principal)
            let orphans = principals.filter { $0.value == nil }.map { entries.removeValue(forKey: $0.key) }
            let key = ObjectIdentifier(principal)
            // Copying a configuration on several threads at once corrupts memory, so the copy is made while the lock is
            // held.
            let sibling = entries[key]?.sibling ?? Sibling(of: principal)
            entries[key] = Entry(principal: principal, sibling: sibling)
            return (sibling, principals, orphans)
        }
        // `principals` and `orphans` can hold the last references to sessions, which must not be deallocated while the
        // lock is held.
        withExtendedLifetime((principals, orphans)) {}
        return sibling
    }

    /// Current requests continue in the retired sibling.
    func retire(from principal: URLSession) {
        let retired = Self.entries.withLock { entries in
            let key = ObjectIdentifier(principal)
            return entries[key]?.sibling === self ? entries.removeValue(forKey: key) : nil
        }
        withExtendedLifetime(retired) {}
    }
}

/// A session that sends the requests of the caller's session. It cancels tasks without a crash, and follows a redirect
/// before the end of a long body.
///
/// URLSession on Linux reports a redirect only after it has received the whole body. For each piece of this body, it
/// copies all bytes received so far, on a queue that all sessions of the process share (no issue has been filed). An
/// endless body would therefore stop all sessions.
///
/// `@unchecked Sendable`, like `URLSession`: a lock guards the added state, and the queues are assigned in `init`.
final class SiblingSession: URLSession, @unchecked Sendable {
    /// `tasks` contains the tasks whose response may be a redirect.
    private let state = Lock((tasks: [Int: URLSessionTask](), isCheckScheduled: false))
    private let wireDelegate: WireDelegate
    private var readingQueue: DispatchQueue?
    private var sessionQueue: DispatchQueue?

    init(_ configuration: URLSessionConfiguration, _ delegate: WireDelegate, _ queue: BoundedDelegateQueue) {
        wireDelegate = delegate
        super.init(configuration: configuration, delegate: delegate, delegateQueue: queue)
        readingQueue = Reflection.value(of: self, ["multiHandle", "queue"]) as? DispatchQueue
        sessionQueue = Reflection.value(of: self, ["workQueue"]) as? DispatchQueue
        queue.state.withLock { $0.readingQueue = readingQueue }
    }

    func add(_ task: URLSessionTask, _ wire: LinuxWire) {
        wireDelegate.wires.withLock { $0[task.taskIdentifier] = wire }
        state.withLock { $0.tasks[task.taskIdentifier] = task }
    }

    func remove(_ task: URLSessionTask) { _ = state.withLock { $0.tasks.removeValue(forKey: task.taskIdentifier) } }

    // MARK: Cancellations

    /// URLSession traps if a task completes while it is being cancelled (swift-corelibs-foundation #3296). Tasks
    /// complete on the serial delegate queue, so an operation on that queue can cancel them safely. In a Swift task's
    /// cancellation handler, `cancel()` can also deadlock (#5412). When both faults are fixed, call `cancel()`.
    func cancel(_ task: URLSessionTask, then body: @escaping @Sendable () -> Void = {}) {
        // Without the suspension, arriving data could delay the cancellation without a limit.
        readingQueue?.suspend()
        delegateQueue.addOperation { [self] in
            if wireDelegate.wire(task) != nil {
                task.cancel()
                // The cancellation has up to two steps.
                for _ in 1...2 { WireDelegate.finishStep(of: task) }
            }
            readingQueue?.resume()
            body()
        }
    }

    // MARK: Redirects

    /// URLSession reads this property on its reading queue after the headers of a response, even of a redirect.
    override var delegate: (any URLSessionDelegate)? {
        let needsCheck = state.withLock { state in
            guard !state.isCheckScheduled, state.tasks.values.contains(where: \.hasLongBody) else { return false }
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
        for task in state.withLock(\.tasks).values where task.hasLongBody && Reflection.hasOriginResponse(task) {
            if task.error == nil, let response = Reflection.redirect(of: task) {
                remove(task)
                cancel(task) { [wireDelegate] in wireDelegate.wire(task)?.redirect(task, response) }
            } else if task.error != nil || task.response?.isFinal == true {
                remove(task)
            }
        }
    }
}

extension URLSessionTask {
    /// The length is 0 before a response, and negative if it is unknown.
    fileprivate var hasLongBody: Bool { !(0...1_000_000).contains(countOfBytesExpectedToReceive) }
}

/// Reads properties of URLSession that have no API. If a property isn't found, URLSession's faults have their effect.
private enum Reflection {
    static func redirect(of task: URLSessionTask) -> HTTPURLResponse? {
        let path = ["_protocolStorage", "existing", "internalState", "transferInProgress", "response"]
        let response = value(of: task, path) as? HTTPURLResponse
        return response.map { Redirect.statuses.contains($0.statusCode) } == true ? response : nil
    }

    /// `false` while an `https` task may have received only a proxy's response to `CONNECT`.
    static func hasOriginResponse(_ task: URLSessionTask) -> Bool {
        guard task.currentRequest?.url?.scheme == "https" else { return true }
        typealias Information = @convention(c) (UnsafeMutableRawPointer, Int32, UnsafeMutablePointer<Int>) -> Int32
        let path = ["_protocolStorage", "existing", "easyHandle", "rawHandle"]
        guard let function = dlsym(nil, "CFURLSession_easy_getinfo_long"),
            let handle = value(of: task, path) as? UnsafeMutableRawPointer
        else { return false }
        var status = 0
        let responseCode: Int32 = 0x20_0002  // CURLINFO_RESPONSE_CODE
        return unsafeBitCast(function, to: Information.self)(handle, responseCode, &status) == 0 && status != 0
    }

    static func value(of object: Any, _ path: [String]) -> Any? {
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
