#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// The sessions that send requests on behalf of callers' sessions.
///
/// URLSession on Linux has no task delegates: a task calls only the delegate of its session. Therefore, requests are
/// sent by a sibling session with an ``ExchangeDelegate`` and the configuration of the caller's session. Each caller's
/// session has one sibling at a time, so that connections are reused and limited as in the caller's session.
final class SiblingSessions: Sendable {
    static let shared = SiblingSessions()

    private struct Entry {
        weak var principal: URLSession?
        let sibling: Transport
    }

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])

    /// Returns the sibling of a session, and releases the siblings of deallocated sessions. Without these releases, a
    /// program with a session for each request would run out of file descriptors.
    ///
    /// - Parameter principal: The caller's session, which outlives the request.
    func sibling(of principal: URLSession) -> Transport {
        let (sibling, principals, orphans) = entries.withLock { entries in
            let principals = entries.mapValues(\.principal)
            let orphans = principals.filter { $0.value == nil }.map { entries.removeValue(forKey: $0.key) }
            let key = ObjectIdentifier(principal)
            if let known = entries[key] { return (known.sibling, principals, orphans) }
            // The lock is held while the configuration is copied, because only one thread at a time may copy it.
            let sibling = Transport(of: principal)
            entries[key] = Entry(principal: principal, sibling: sibling)
            return (sibling, principals, orphans)
        }
        // Loading a weak reference can make this the last owner of a session, which must not be deallocated while the
        // lock is held.
        withExtendedLifetime((principals, orphans)) {}
        return sibling
    }

    /// Retires a sibling, so that the next request uses new connections. Current requests continue.
    func retire(_ sibling: Transport, of principal: URLSession) {
        let retired = entries.withLock { entries in
            let key = ObjectIdentifier(principal)
            return entries[key]?.sibling === sibling ? entries.removeValue(forKey: key) : nil
        }
        withExtendedLifetime(retired) {}
    }
}
#endif
