import NetworkIndicator

/// The path of a network, which a test changes.
package final class ManualPath: Sendable {
    private let updates = Lock<[Int: @Sendable (Bool) -> Void]>([:])

    package init() {}

    /// A source of a `PathMonitor`.
    @Sendable
    package func monitor(_ update: @escaping @Sendable (Bool) -> Void) -> @Sendable () -> Void {
        let key = updates.withLock { updates in
            let key = (updates.keys.max() ?? 0) + 1
            updates[key] = update
            return key
        }
        return { [updates] in _ = updates.withLock { $0.removeValue(forKey: key) } }
    }

    package var monitorCount: Int { updates.withLock(\.count) }

    package func update(_ hasPath: Bool) {
        for update in updates.withLock({ Array($0.values) }) { update(hasPath) }
    }
}
