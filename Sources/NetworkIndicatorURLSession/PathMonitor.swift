import NetworkIndicator

#if canImport(Network)
import Dispatch
import Network
#endif

/// Reports when a network path is found. Runs until it is deallocated.
package final class PathMonitor: Sendable {
    /// Starts to pass on whether there is a path, now and after each change, and returns a closure that stops this.
    package typealias Source =
        @Sendable (_ update: @escaping @Sendable (_ hasPath: Bool) -> Void) -> @Sendable () -> Void

    private let stop: @Sendable () -> Void

    package init(_ source: Source, _ pathWasFound: @escaping @Sendable () -> Void) {
        let hasUpdate = Lock(false)
        stop = source { hasPath in
            // The first update reports the current path, not a change.
            let isChange = hasUpdate.withLock { hasUpdate in
                defer { hasUpdate = true }
                return hasUpdate
            }
            if isChange, hasPath { pathWasFound() }
        }
    }

    deinit { stop() }

    // On watches, a path monitor reports `unsatisfied` for most apps (Apple's technote TN3135).
    #if canImport(Network) && !os(watchOS)
    package static let system: Source? = { update in
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { update($0.status == .satisfied) }
        monitor.start(queue: DispatchQueue(label: "NetworkIndicator.PathMonitor"))
        return { monitor.cancel() }
    }
    #else
    package static let system: Source? = nil
    #endif
}
