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
        // URLSession adds these headers to every request, so after a redirect, other hosts would receive them.
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
#endif
