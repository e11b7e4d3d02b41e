#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// URLSession on Linux never delivers a task's response or data to `URLSessionTask.delegate`, and reuses an HTTP/2
/// connection that no longer responds (no issue has been filed for either fault). A sibling of the caller's session
/// therefore sends the requests, and is replaced after a timeout or a lost connection. When both faults are fixed,
/// delete this type.
///
/// All new requests of a session use the same sibling, so that connections are reused and limited as usual.
final class SiblingSessions: Sendable {
    static let shared = SiblingSessions()

    private struct Entry {
        weak var principal: URLSession?
        let sibling: Transport
    }

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])

    /// This method also releases the siblings of deallocated sessions, because the siblings' open connections could
    /// exhaust the file descriptors.
    func sibling(of principal: URLSession) -> Transport {
        let (sibling, principals, orphans) = entries.withLock { entries in
            let principals = entries.mapValues(\.principal)
            let orphans = principals.filter { $0.value == nil }.map { entries.removeValue(forKey: $0.key) }
            let key = ObjectIdentifier(principal)
            if let known = entries[key] { return (known.sibling, principals, orphans) }
            // Copying a configuration on several threads at once corrupts memory, so the copy is made while the lock is
            // held.
            let sibling = Transport(of: principal)
            entries[key] = Entry(principal: principal, sibling: sibling)
            return (sibling, principals, orphans)
        }
        // `principals` and `orphans` can hold the last references to sessions, which must not be deallocated while the
        // lock is held.
        withExtendedLifetime((principals, orphans)) {}
        return sibling
    }

    /// Current requests continue in the retired sibling.
    func retire(_ sibling: Transport, of principal: URLSession) {
        let retired = entries.withLock { entries in
            let key = ObjectIdentifier(principal)
            return entries[key]?.sibling === sibling ? entries.removeValue(forKey: key) : nil
        }
        withExtendedLifetime(retired) {}
    }
}
#endif
