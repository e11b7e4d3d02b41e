#if canImport(Network)
import Dispatch
import Network
import NetworkIndicator

// `@unchecked Sendable`: only the initializer uses the monitor. Not every SDK marks it Sendable.
final class ConnectivitySource: @unchecked Sendable {
    private let monitor = NWPathMonitor()

    init(_ onChange: @escaping @Sendable () -> Void) {
        // The first update is the current state, not a change.
        let isFirst = Lock(true)
        monitor.pathUpdateHandler = { path in
            let isChange = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return !isFirst
            }
            if isChange, path.status == .satisfied { onChange() }
        }
        monitor.start(queue: DispatchQueue(label: "NetworkIndicator.ConnectivitySource"))
    }

    /// On Apple's platforms, a missing network has its own error code.
    static var isOffline: Bool { false }
}
#endif
