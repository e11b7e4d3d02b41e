#if canImport(Network)
import Dispatch
import Network
import NetworkIndicator

// `@unchecked Sendable`: only the initializer uses the monitor. Not every SDK marks `NWPathMonitor` as `Sendable`.
final class ConnectivitySource: @unchecked Sendable {
    private let monitor = NWPathMonitor()

    init(_ onChange: @escaping @Sendable () -> Void) {
        // The first update reports the current state, not a change.
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

    /// On Apple's platforms, URLSession's error codes already show whether the device is offline.
    static var isOffline: Bool { false }
}
#endif
