#if canImport(Network)
import Dispatch
import Network
import NetworkIndicator

// `@unchecked Sendable`: only the initializer uses the monitor. Not every SDK marks `NWPathMonitor` as `Sendable`.
final class ConnectivitySource: @unchecked Sendable {
    #if os(watchOS)
    /// On watchOS, `NWPathMonitor` reports no network except during audio streaming and calls (TN3135). Without a
    /// monitor, the attempts during an offline wait must follow each other more closely.
    static let longestPause = Duration.seconds(5)

    init(_ onChange: @escaping @Sendable () -> Void) {}
    #else
    static let longestPause = Duration.seconds(30)

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
    #endif

    /// On Apple's platforms, URLSession's error codes already show whether the device is offline.
    static var isOffline: Bool { false }
}
#endif
