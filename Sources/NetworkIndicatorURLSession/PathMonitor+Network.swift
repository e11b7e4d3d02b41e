#if canImport(Network)
import Dispatch
import Network
import NetworkIndicator

/// Calls a closure when a network becomes available.
// `@unchecked Sendable`: the lock guards the monitor. `NWPathMonitor` isn't `Sendable` in every SDK.
final class PathMonitor: @unchecked Sendable {
    private let monitor = Lock<NWPathMonitor?>(nil)

    deinit { monitor.withLock { $0?.cancel() } }

    /// Starts the monitor. Later calls have no effect, and their closures are ignored.
    func start(_ pathWasFound: @escaping @Sendable () -> Void) {
        monitor.withLock { monitor in
            guard monitor == nil else { return }
            let (new, hasUpdate) = (NWPathMonitor(), Lock(false))
            new.pathUpdateHandler = { path in
                // The first update reports the current path. The monitor starts because a task can't use that path.
                let isChange = hasUpdate.withLock { hasUpdate in
                    defer { hasUpdate = true }
                    return hasUpdate
                }
                if isChange, path.status == .satisfied { pathWasFound() }
            }
            new.start(queue: .main)
            monitor = new
        }
    }
}
#endif
