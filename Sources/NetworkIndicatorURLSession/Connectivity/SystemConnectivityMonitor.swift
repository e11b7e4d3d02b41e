import Foundation
import NetworkIndicator

/// The system's word on connectivity: `NWPathMonitor` on Apple's platforms; on Linux the interfaces and their addresses,
/// looked at anew whenever a netlink socket tells of a change.
///
/// It listens only while somebody waits.
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
                let isFirst = state.withLock { state in
                    state.waiters[id] = continuation
                    return state.waiters.count == 1
                }
                if isFirst { listen() }
                // Cancelled before there was anything to take away: the handler has run already.
                if Task.isCancelled { resume { $0.removeValue(forKey: id).map { [$0] } ?? [] } }
            }
        } onCancel: {
            resume { $0.removeValue(forKey: id).map { [$0] } ?? [] }
        }
    }

    private func listen() {
        let source = ConnectivitySource { [weak self] in self?.noteChange() }
        let (superfluous, isWanted) = state.withLock { state in
            // Everybody may have left meanwhile, or somebody else may have begun to listen.
            guard !state.waiters.isEmpty, state.source == nil else { return (Optional(source), false) }
            state.source = source
            return (nil, true)
        }
        superfluous?.cancel()
        if isWanted { source.start() }
    }

    private func noteChange() {
        resume { waiters in
            defer { waiters = [:] }
            return Array(waiters.values)
        }
    }

    private func resume(
        _ take: (inout [UUID: CheckedContinuation<Void, Never>]) -> [CheckedContinuation<Void, Never>]
    ) {
        let (taken, source) = state.withLock { state in
            let taken = take(&state.waiters)
            guard state.waiters.isEmpty else { return (taken, ConnectivitySource?.none) }
            defer { state.source = nil }
            return (taken, state.source)
        }
        source?.cancel()
        for continuation in taken { continuation.resume() }
    }
}

extension ConnectivityMonitor where Self == SystemConnectivityMonitor {
    /// The system's.
    public static var system: SystemConnectivityMonitor { sharedSystemMonitor }
}

private let sharedSystemMonitor = SystemConnectivityMonitor()
