#if canImport(Network)
import Dispatch
import NetworkIndicatorURLSession

final class ConnectivitySource: Sendable {
    #if os(watchOS)
    /// On watchOS, `NWPathMonitor` reports no network except during audio streaming and calls (TN3135). Without a
    /// monitor, the attempts during an offline wait must follow each other more closely.
    static let longestPause = Duration.seconds(5)

    init(_ onChange: @escaping @Sendable () -> Void) {}
    #else
    static let longestPause = Duration.seconds(30)

    private let monitor = PathMonitor()

    init(_ onChange: @escaping @Sendable () -> Void) {
        monitor.start(on: DispatchQueue(label: "NetworkIndicator.ConnectivitySource"), onChange)
    }
    #endif

    /// On Apple's platforms, URLSession's error codes already show whether the device is offline.
    static var isOffline: Bool { false }
}
#endif
