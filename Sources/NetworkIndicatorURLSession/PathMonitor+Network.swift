// On watches, a path monitor reports `unsatisfied` for most apps (Apple's technote TN3135).
#if canImport(Network) && !os(watchOS)
package import Dispatch
import Network
import NetworkIndicator

package final class PathMonitor: Sendable {
    private let monitor = Lock<NWPathMonitor?>(nil)

    package init() {}

    deinit { monitor.withLock { $0?.cancel() } }

    package func start(on queue: DispatchQueue, _ pathWasFound: @escaping @Sendable () -> Void) {
        monitor.withLock { monitor in
            guard monitor == nil else { return }
            let (new, hasUpdate) = (NWPathMonitor(), Lock(false))
            new.pathUpdateHandler = { path in
                // The first update reports the current path, not a change.
                let isChange = hasUpdate.withLock { hasUpdate in
                    defer { hasUpdate = true }
                    return hasUpdate
                }
                if isChange, path.status == .satisfied { pathWasFound() }
            }
            new.start(queue: queue)
            monitor = new
        }
    }
}
#endif
