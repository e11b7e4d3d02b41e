#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// The session that sends the requests of the caller's session. It cancels tasks without a crash, and follows a
/// redirect before the end of a long body.
///
/// URLSession on Linux never delivers a task's response or data to `URLSessionTask.delegate`, and reuses an HTTP/2
/// connection that no longer responds (no issue has been filed for either fault). A sibling of the caller's session
/// therefore sends the requests, and is replaced after a timeout or a lost connection. All new requests of a session
/// use the same sibling, so that connections are reused and limited as usual.
///
/// URLSession on Linux reports a redirect only after it has received the whole body. For each piece of this body, it
/// copies all bytes received so far, on a queue that all sessions of the process share (no issue has been filed). An
/// endless body would therefore stop all sessions.
///
/// `@unchecked Sendable`, like `URLSession`: a lock guards the added state, and the queues are assigned in `init`.
final class SiblingSession: URLSession, @unchecked Sendable {
    struct Call {
        let task: URLSessionTask
        let wire: LinuxWire
        var mayBeRedirected = true
    }

    let settings: SessionSettings
    let queue = BoundedDelegateQueue()
    /// The tasks that haven't completed.
    let calls = Lock<[Int: Call]>([:])
    private weak var principal: URLSession?
    private var readingQueue: DispatchQueue?
    private(set) var sessionQueue: DispatchQueue?

    private init(of principal: URLSession) {
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
        self.principal = principal
        super.init(configuration: configuration, delegate: WireDelegate(), delegateQueue: queue)
        readingQueue = Reflection.value(of: self, .readingQueue) as? DispatchQueue
        sessionQueue = Reflection.value(of: self, .sessionQueue) as? DispatchQueue
        queue.state.withLock { $0.readingQueue = readingQueue }
    }

    // MARK: Siblings

    private static let siblings = Lock<[ObjectIdentifier: SiblingSession]>([:])

    /// This method also releases the siblings of deallocated sessions, because the siblings' open connections could
    /// exhaust the file descriptors.
    static func of(_ principal: URLSession) -> SiblingSession {
        let (sibling, principals, orphans) = siblings.withLock { siblings in
            let principals = siblings.mapValues(\.principal)
            let orphans = principals.filter { $0.value == nil }.map { siblings.removeValue(forKey: $0.key) }
            // Copying a configuration on several threads at once corrupts memory, so the copy is made while the lock is
            // held.
            let sibling = siblings[ObjectIdentifier(principal)] ?? SiblingSession(of: principal)
            siblings[ObjectIdentifier(principal)] = sibling
            return (sibling, principals, orphans)
        }
        // `principals` and `orphans` can hold the last references to sessions, which must not be deallocated while the
        // lock is held.
        withExtendedLifetime((principals, orphans)) {}
        return sibling
    }

    /// Current requests continue in the retired sibling. It isn't invalidated, because creating a task in an
    /// invalidated session traps.
    func retire(from principal: URLSession) {
        Self.siblings.withLock { siblings in
            let key = ObjectIdentifier(principal)
            if siblings[key] === self { siblings[key] = nil }
        }
    }

    // MARK: Cancellations

    /// URLSession traps if a task completes while it is being cancelled (swift-corelibs-foundation #3296). Tasks
    /// complete on the serial delegate queue, so an operation on that queue can cancel them safely. In a Swift task's
    /// cancellation handler, `cancel()` can also deadlock (#5412). When both faults are fixed, call `cancel()`.
    func cancel(_ task: URLSessionTask, then body: @escaping @Sendable () -> Void = {}) {
        // Without the suspension, arriving data could delay the cancellation without a limit.
        readingQueue?.suspend()
        delegateQueue.addOperation { [self] in
            if wire(task) != nil {
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
        let needsCheck = calls.withLock { $0.values.contains { $0.mayBeRedirected && $0.task.hasLongBody } }
        if needsCheck, let readingQueue, let sessionQueue {
            // The suspension takes effect when the current block of the reading queue ends. Without it, the check would
            // come after many megabytes of a body.
            readingQueue.suspend()
            sessionQueue.async { [self] in
                check()
                readingQueue.resume()
            }
        }
        return super.delegate
    }

    /// URLSession uses its tasks only on the work queue and on queues that target it, such as the reading queue.
    private func check() {
        for (id, call) in calls.withLock({ $0 }) where call.mayBeRedirected && call.task.hasLongBody {
            let task = call.task
            guard Reflection.hasOriginResponse(task) else { continue }
            let redirect = task.error == nil ? Reflection.redirect(of: task) : nil
            guard redirect != nil || task.error != nil || task.response?.isFinal == true else { continue }
            calls.withLock { $0[id]?.mayBeRedirected = false }
            if let redirect { cancel(task) { call.wire.redirect(task, redirect) } }
        }
    }
}

extension URLSessionTask {
    /// The length is 0 before a response, and negative if it is unknown.
    fileprivate var hasLongBody: Bool { !(0...1_000_000).contains(countOfBytesExpectedToReceive) }
}

/// Reads properties of URLSession that have no API. If a property isn't found, URLSession's faults have their effect.
enum Reflection {
    enum Path: String, CaseIterable {
        case readingQueue = "multiHandle.queue"
        case sessionQueue = "workQueue"
        case response = "_protocolStorage.existing.internalState.transferInProgress.response"
        case handle = "_protocolStorage.existing.easyHandle.rawHandle"
    }

    static func redirect(of task: URLSessionTask) -> HTTPURLResponse? {
        let response = value(of: task, .response) as? HTTPURLResponse
        return response.map { Redirect.statuses.contains($0.statusCode) } == true ? response : nil
    }

    static var information: UnsafeMutableRawPointer? { dlsym(nil, "CFURLSession_easy_getinfo_long") }

    /// `false` while an `https` task may have received only a proxy's response to `CONNECT`.
    static func hasOriginResponse(_ task: URLSessionTask) -> Bool {
        guard task.currentRequest?.url?.scheme == "https" else { return true }
        typealias Information = @convention(c) (UnsafeMutableRawPointer, Int32, UnsafeMutablePointer<Int>) -> Int32
        guard let information, let handle = value(of: task, .handle) as? UnsafeMutableRawPointer else { return false }
        var status = 0
        let responseCode: Int32 = 0x20_0002  // CURLINFO_RESPONSE_CODE
        return unsafeBitCast(information, to: Information.self)(handle, responseCode, &status) == 0 && status != 0
    }

    static func value(of object: Any, _ path: Path) -> Any? {
        path.rawValue.split(separator: ".").reduce(object) { (object: Any?, name) in
            guard let object else { return nil }
            let mirrors = sequence(first: Mirror(reflecting: object), next: \.superclassMirror)
            let child = mirrors.lazy.flatMap(\.children).first { $0.label == String(name) }
            let mirror = child.map { Mirror(reflecting: $0.value) }
            return mirror?.displayStyle == .optional ? mirror?.children.first?.value : child?.value
        }
    }
}
#endif
