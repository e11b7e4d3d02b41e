import Foundation
import NetworkIndicator

package final class Log<Entry: Sendable>: Sendable {
    private struct Watcher {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var entries: [Entry] = []
        var watchers: [UUID: Watcher] = [:]

        mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
            let ready = watchers.filter { $0.value.count <= entries.count }
            for id in ready.keys { watchers[id] = nil }
            return ready.values.map(\.continuation)
        }
    }

    private let state = Lock(State())

    package init() {}

    package var entries: [Entry] { state.withLock(\.entries) }

    package func add(_ entry: Entry) {
        let ready = state.withLock { state in
            state.entries.append(entry)
            return state.takeWatchers()
        }
        for watcher in ready { watcher.resume() }
    }

    package func reached(_ count: Int) async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state in
                    state.watchers[id] = Watcher(count: count, continuation: continuation)
                    return state.takeWatchers()
                }
                for watcher in ready { watcher.resume() }
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    private func leave(_ id: UUID) {
        state.withLock { $0.watchers.removeValue(forKey: id) }?.continuation.resume()
    }
}
