#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// The sessions that make requests on behalf of callers' sessions.
///
/// On Linux, a task calls only its session's delegate. So requests are made in a sibling session with an
/// ``ExchangeDelegate`` and the configuration of the caller's session. Each caller's session has one sibling at a time,
/// so that connections are reused and limited in the same way.
final class SiblingSessions: Sendable {
    static let shared = SiblingSessions()

    private struct Entry {
        weak var principal: URLSession?
        let sibling: SiblingSession
    }

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])

    /// - Parameter principal: The caller's session, which outlives the request.
    func sibling(of principal: URLSession) -> SiblingSession {
        let key = ObjectIdentifier(principal)
        // The system reuses addresses, so an entry with this key may belong to a deallocated session.
        let (known, loaded) = entries.withLock { ($0[key]?.sibling, $0[key]?.principal) }
        if let known, loaded === principal { return known }
        let new = SiblingSession(of: principal)
        let (sibling, released) = entries.withLock { entries in
            // Loaded weak references are released outside the lock, because each may be the last reference by then.
            let all = entries.map { (key: $0.key, entry: $0.value, principal: $0.value.principal) }
            for (key, _, principal) in all where principal == nil { entries[key] = nil }
            let sibling = entries[key]?.sibling ?? new
            entries[key] = Entry(principal: principal, sibling: sibling)
            return (sibling, all)
        }
        withExtendedLifetime(released) {}
        return sibling
    }

    /// Makes the next request use new connections. Current requests continue.
    func retire(_ sibling: SiblingSession, of principal: URLSession) {
        let key = ObjectIdentifier(principal)
        let released = entries.withLock { entries in
            entries[key]?.sibling === sibling ? entries.removeValue(forKey: key) : nil
        }
        withExtendedLifetime(released) {}
    }
}

/// A session that is invalidated only after its last user has released it, because creating a task in an invalidated
/// session traps.
final class SiblingSession: Sendable {
    let session: URLSession
    let delegate: ExchangeDelegate
    /// The headers of the caller's configuration. A session would send them to every host.
    let additionalHeaders: [String: String]

    init(of principal: URLSession) {
        let configuration = principal.configuration  // a copy
        let headers = configuration.httpAdditionalHeaders ?? [:]
        additionalHeaders = Dictionary(headers.map { ("\($0)", "\($1)") }) { first, _ in first }
        configuration.httpAdditionalHeaders = nil
        delegate = ExchangeDelegate(standingInFor: principal)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: BoundedDelegateQueue())
    }

    deinit { session.finishTasksAndInvalidate() }
}
#endif
