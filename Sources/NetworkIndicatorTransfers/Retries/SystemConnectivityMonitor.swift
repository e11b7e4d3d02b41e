import Foundation
import NetworkIndicator

/// Monitors the system's connectivity. On Apple's platforms, the monitor uses `NWPathMonitor`. On Linux, it examines
/// the interfaces and their addresses whenever a netlink socket reports a change.
///
/// The monitor receives changes only while a request waits.
public final class SystemConnectivityMonitor: ConnectivityMonitor {
    private struct State {
        var waiters: [UUID: AsyncStream<Void>.Continuation] = [:]
        var source: ConnectivitySource?
    }

    private let state = Lock(State())

    init() {}

    public var isOffline: Bool { ConnectivitySource.isOffline }

    public func waitForChange() async {
        let (changes, waiter) = AsyncStream.makeStream(of: Void.self)
        let id = UUID()
        let new = state.withLock { state in
            state.waiters[id] = waiter
            guard state.source == nil else { return nil as ConnectivitySource? }
            state.source = ConnectivitySource { [weak self] in self?.wake() }
            return state.source
        }
        new?.start()
        for await _ in changes { break }
        let unused = state.withLock { state in
            state.waiters[id] = nil
            return state.waiters.isEmpty ? state.source.take() : nil
        }
        unused?.cancel()
    }

    private func wake() {
        for waiter in state.withLock(\.waiters).values { waiter.yield() }
    }
}

extension ConnectivityMonitor where Self == SystemConnectivityMonitor {
    /// The monitor of this system's network.
    public static var system: SystemConnectivityMonitor { sharedSystemMonitor }
}

private let sharedSystemMonitor = SystemConnectivityMonitor()
