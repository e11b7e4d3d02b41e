#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// The sessions that download on behalf of callers' sessions.
///
/// On Linux a task calls no delegate but its session's, so downloads are made in a session that has one, with the
/// configuration of the caller's; one for each caller's session, so that connections are reused and limited as there.
final class DownloadSessions: Sendable {
    static let shared = DownloadSessions()

    private struct Entry {
        weak var principal: URLSession?
        let session: URLSession
    }

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])

    /// - Parameter principal: The caller's session, which has to outlive the downloads.
    /// - Returns: The session that stands in for it. Its delegate is a ``DownloadDelegate``.
    func session(for principal: URLSession) -> URLSession {
        let key = ObjectIdentifier(principal)
        // An entry of this key is the principal's, or was left by one that is gone: the address alone says nothing.
        let (known, loaded) = entries.withLock { ($0[key]?.session, $0[key]?.principal) }
        if let known, loaded === principal { return known }
        return add(
            URLSession(
                configuration: principal.configuration, delegate: DownloadDelegate(standingInFor: principal),
                delegateQueue: BoundedDelegateQueue()),
            for: principal)
    }

    /// - Returns: The session that stands in for it now: another thread may have been quicker.
    private func add(_ new: URLSession, for principal: URLSession) -> URLSession {
        let (session, released, loaded) = entries.withLock { entries in
            // What weak references give is released outside the lock: it may be the last reference by then.
            let loaded = entries.mapValues(\.principal)
            var released = entries.filter { loaded[$0.key] == .some(nil) }.map(\.value.session)
            for (key, principal) in loaded where principal == nil { entries[key] = nil }
            let key = ObjectIdentifier(principal)
            if let known = entries[key]?.session {
                released.append(new)
                return (known, released, loaded)
            }
            entries[key] = Entry(principal: principal, session: new)
            return (new, released, loaded)
        }
        for session in released { session.finishTasksAndInvalidate() }
        withExtendedLifetime(loaded) {}
        return session
    }
}
#endif
