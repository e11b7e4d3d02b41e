// On watches, a path monitor reports `unsatisfied` for most apps (Apple's technote TN3135).
#if canImport(Network) && !os(watchOS)
import Dispatch
import Network
import NetworkIndicator

/// Runs until it is deallocated.
package final class PathMonitor: Sendable {
    private let monitor = NWPathMonitor()

    package init(_ pathWasFound: @escaping @Sendable () -> Void) {
        let hasUpdate = Lock(false)
        monitor.pathUpdateHandler = { path in
            // The first update reports the current path, not a change.
            let isChange = hasUpdate.withLock { hasUpdate in
                defer { hasUpdate = true }
                return hasUpdate
            }
            if isChange, path.status == .satisfied { pathWasFound() }
        }
        monitor.start(queue: DispatchQueue(label: "NetworkIndicator.PathMonitor"))
    }

    deinit { monitor.cancel() }
}
#endif
