import Foundation
import NetworkIndicator

/// Monitors the system's connectivity. On Apple's platforms, it uses `NWPathMonitor`. On Linux, it examines the
/// interfaces and their addresses whenever a netlink socket reports a change.
///
/// It listens only while a request waits.
public final class SystemConnectivityMonitor: ConnectivityMonitor {
    private struct State {
        var waiters: [UUID: CheckedContinuation<Void, Never>] = [:]
        var source: ConnectivitySource?
    }

    private let state = Lock(State())

    init() {}

    public var isOffline: Bool { ConnectivitySource.isOffline }

    public func waitForChange() async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let source = state.withLock { state in
                    state.waiters[id] = continuation
                    guard state.source == nil else { return ConnectivitySource?.none }
                    state.source = ConnectivitySource { [weak self] in self?.resume(nil) }
                    return state.source
                }
                source?.start()
                // The cancellation handler may have run before the waiter was added.
                if Task.isCancelled { resume(id) }
            }
        } onCancel: {
            resume(id)
        }
    }

    /// - Parameter id: The waiter to resume, or `nil` for all.
    private func resume(_ id: UUID?) {
        let (taken, source) = state.withLock { state in
            let taken = state.waiters.filter { id == nil || $0.key == id }
            for id in taken.keys { state.waiters[id] = nil }
            guard state.waiters.isEmpty else { return (taken, ConnectivitySource?.none) }
            defer { state.source = nil }
            return (taken, state.source)
        }
        source?.cancel()
        for continuation in taken.values { continuation.resume() }
    }
}

extension ConnectivityMonitor where Self == SystemConnectivityMonitor {
    /// The monitor of this system's network.
    public static var system: SystemConnectivityMonitor { sharedSystemMonitor }
}

private let sharedSystemMonitor = SystemConnectivityMonitor()
