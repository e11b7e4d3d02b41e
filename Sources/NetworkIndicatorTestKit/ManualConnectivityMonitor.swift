import NetworkIndicator
public import NetworkIndicatorURLSession

/// A monitor whose connectivity a test controls, for the `connectivityMonitor` of a retry policy.
///
/// A request consults the monitor only after a failure, so the test's server or stub must fail as well. The article
/// <doc:/NetworkIndicator/Testing> has an example.
public final class ManualConnectivityMonitor: ConnectivityMonitor {
    private let state = Lock<(isOffline: Bool, waits: [Signal])>((false, []))

    /// Creates a monitor that is online.
    public init() {}

    public var isOffline: Bool { state.withLock(\.isOffline) }

    /// From now on, failures of requests count as failures of the network.
    public func goOffline() { state.withLock { $0.isOffline = true } }

    /// Ends the offline waits of requests.
    public func goOnline() {
        let waits = state.withLock { state in
            defer { state = (false, []) }
            return state.waits
        }
        for wait in waits { wait.send() }
    }

    /// Returns when the monitor is online, or when the calling Swift task is cancelled.
    public func waitForChange() async {
        let online = Signal()
        let isOffline = state.withLock { state in
            if state.isOffline { state.waits.append(online) }
            return state.isOffline
        }
        if isOffline { try? await online.wait() }
    }
}
