#if canImport(Network)
import Dispatch
import Network
import NetworkIndicator

/// Tells of a usable network path.
final class ConnectivitySource: Sendable {
    private let monitor = NWPathMonitor()
    private let queue = DispatchQueue(label: "NetworkIndicator.ConnectivitySource")

    /// - Parameter onChange: Called when a path has become usable.
    init(_ onChange: @escaping @Sendable () -> Void) {
        // The first update is how things are, not a change.
        let isFirst = Lock(true)
        monitor.pathUpdateHandler = { path in
            let isChange = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return !isFirst
            }
            if isChange, path.status == .satisfied { onChange() }
        }
    }

    func start() { monitor.start(queue: queue) }

    func cancel() { monitor.cancel() }

    /// Never asked: on Apple's platforms the error itself tells.
    static var isOffline: Bool { false }
}
#endif
