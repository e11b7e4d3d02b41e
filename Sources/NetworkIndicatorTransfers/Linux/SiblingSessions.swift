#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking
import NetworkIndicator

/// The sessions that make requests on behalf of callers' sessions.
///
/// URLSession has no delegates of tasks, so a task calls only its session's. So requests are made in a sibling session with an
/// ``ExchangeDelegate`` and the configuration of the caller's session. Each caller's session has one sibling at a time,
/// so that connections are reused and limited in the same way.
final class SiblingSessions: Sendable {
    static let shared = SiblingSessions()

    private struct Entry {
        weak var principal: URLSession?
        var sibling: Transport
        /// Whether the sibling was unused at the last sweep.
        var isIdle = false
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// Whether a sweep is due.
        var isScheduled = false

        /// Removes the siblings of deallocated sessions.
        ///
        /// - Returns: What to release after unlocking. The load of a session can be its last release.
        mutating func removeOrphans() -> [AnyObject] {
            let principals = entries.mapValues(\.principal)
            let orphans = principals.filter { $0.value == nil }.compactMap {
                entries.removeValue(forKey: $0.key)?.sibling
            }
            return orphans + principals.values.compactMap(\.self)
        }
    }

    private let state = Lock(State())

    /// In seconds. A sibling is released when it has been unused for one to two intervals. If its session has been
    /// deallocated, the first request of another new session releases it earlier.
    private static let sweepInterval = 30.0

    /// - Parameter principal: The caller's session, which outlives the request.
    func sibling(of principal: URLSession) -> Transport {
        let (sibling, released, needsSweep) = state.withLock { state in
            let key = ObjectIdentifier(principal)
            // The system reuses addresses, so this may be the entry of a deallocated session.
            if let known = state.entries[key], known.principal != nil {
                state.entries[key]?.isIdle = false
                return (known.sibling, [], false)
            }
            // Without this, a program with a session for each request would run out of descriptors.
            let released = state.removeOrphans()
            // The lock is held while the configuration is copied, because only one thread at a time may copy it.
            let sibling = Transport(of: principal)
            state.entries[key] = Entry(principal: principal, sibling: sibling)
            defer { state.isScheduled = true }
            return (sibling, released, !state.isScheduled)
        }
        withExtendedLifetime(released) {}
        if needsSweep { scheduleSweep() }
        return sibling
    }

    /// Makes the next request use new connections. Current requests continue.
    func retire(_ sibling: Transport, of principal: URLSession) {
        let retired = state.withLock { state in
            let key = ObjectIdentifier(principal)
            return state.entries[key]?.sibling === sibling ? state.entries.removeValue(forKey: key) : nil
        }
        withExtendedLifetime(retired) {}
    }

    private func scheduleSweep() {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.sweepInterval) { [self] in
            if sweep() { scheduleSweep() }
        }
    }

    /// Releases the siblings that have been unused since the sweep before.
    ///
    /// - Returns: Whether siblings are left.
    func sweep() -> Bool {
        let (released, isEmpty) = state.withLock { state in
            var released: [Entry] = []
            // Iterating over the dictionary would retain the siblings. An array of its keys doesn't.
            for key in Array(state.entries.keys) {
                let isUnused = isKnownUniquelyReferenced(&state.entries[key]!.sibling)
                if isUnused, state.entries[key]!.isIdle {
                    released.append(state.entries.removeValue(forKey: key)!)
                } else {
                    state.entries[key]!.isIdle = isUnused
                }
            }
            state.isScheduled = !state.entries.isEmpty
            return (released, state.entries.isEmpty)
        }
        withExtendedLifetime(released) {}
        return !isEmpty
    }
}
#endif
