import NetworkIndicator

package final class Log<Entry: Sendable>: Sendable {
    private struct State {
        var entries: [Entry] = []
        var watchers: [(count: Int, signal: Signal)] = []
    }

    private let state = Lock(State())

    package init() {}

    package var entries: [Entry] { state.withLock(\.entries) }

    package func add(_ entry: Entry) {
        let ready = state.withLock { state in
            state.entries.append(entry)
            return state.watchers.filter { $0.count == state.entries.count }
        }
        for watcher in ready { watcher.signal.send() }
    }

    /// Also returns when the calling Swift task is cancelled.
    package func reached(_ count: Int) async {
        let signal = Signal()
        let isReached = state.withLock { state in
            state.watchers.append((count, signal))
            return state.entries.count >= count
        }
        if !isReached { try? await signal.wait() }
    }
}
