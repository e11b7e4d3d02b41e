#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import NetworkIndicator

/// URLSession on Linux doesn't support task delegates (no known report), so a sibling of the caller's session sends the
/// requests. When URLSession supports task delegates, delete this type.
///
/// All new requests of a session use one sibling, so that connections are reused and limited as usual.
final class SiblingSessions: Sendable {
    static let shared = SiblingSessions()

    private struct Entry {
        weak var principal: URLSession?
        let sibling: Transport
    }

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])

    /// Also releases the siblings of deallocated sessions, because the siblings' open connections could exhaust the
    /// file descriptors.
    func sibling(of principal: URLSession) -> Transport {
        let (sibling, principals, orphans) = entries.withLock { entries in
            let principals = entries.mapValues(\.principal)
            let orphans = principals.filter { $0.value == nil }.map { entries.removeValue(forKey: $0.key) }
            let key = ObjectIdentifier(principal)
            if let known = entries[key] { return (known.sibling, principals, orphans) }
            // Copying a configuration on several threads at once corrupts memory, so the lock is held.
            let sibling = Transport(of: principal)
            entries[key] = Entry(principal: principal, sibling: sibling)
            return (sibling, principals, orphans)
        }
        // These can be the last references to sessions, which must not be deallocated while the lock is held.
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
