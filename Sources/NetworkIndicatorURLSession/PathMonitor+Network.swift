#if canImport(Network)
import Dispatch
import Network
import NetworkIndicator

/// Reports that a path to the network was found.
// `@unchecked Sendable`: `start` changes the monitor, once. `NWPathMonitor` isn't `Sendable` in every SDK.
final class PathMonitor: @unchecked Sendable {
    private let monitor = NWPathMonitor()
    private let isStarted = Lock(false)

    deinit { monitor.cancel() }

    /// Starts the monitor, unless it is started.
    func start(_ pathWasFound: @escaping @Sendable () -> Void) {
        guard !isStarted.withLock({ exchange(&$0, true) }) else { return }
        // The first update is the current path, which doesn't serve the task that waits.
        let isFirst = Lock(true)
        monitor.pathUpdateHandler = { path in
            if !isFirst.withLock({ exchange(&$0, false) }), path.status == .satisfied { pathWasFound() }
        }
        monitor.start(queue: .main)
    }
}

/// Replaces a value, and returns the earlier one.
private func exchange(_ value: inout Bool, _ new: Bool) -> Bool {
    defer { value = new }
    return value
}
#endif
