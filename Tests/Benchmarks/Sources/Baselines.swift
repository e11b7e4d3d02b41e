import Foundation

// `@unchecked Sendable`: `lock` guards `wrappers`.
final class WeakFilter: @unchecked Sendable {
    private final class Wrapper {
        weak var object: AnyObject?

        init(_ object: AnyObject) { self.object = object }
    }

    private let lock = NSLock()
    private var wrappers: [Wrapper] = []

    init(_ live: [AnyObject]) { wrappers = live.map(Wrapper.init) }

    func begin(_ token: AnyObject) {
        lock.lock()
        defer { lock.unlock() }
        wrappers = wrappers.filter { $0.object != nil }
        wrappers.append(Wrapper(token))
    }

    func finish(_ token: AnyObject) {
        lock.lock()
        defer { lock.unlock() }
        wrappers = wrappers.filter { $0.object != nil && $0.object !== token }
    }
}

/// A set of request identifiers, as in AlamofireNetworkActivityIndicator 3.
///
/// `@unchecked Sendable`: `lock` guards the variables.
final class IDSet: @unchecked Sendable {
    private enum State {
        case off, startPending, on, stopPending
    }

    private let lock = NSLock()
    private var ids: Set<String>
    private var isEnabled = true
    private var state = State.off

    init(_ live: Int) {
        ids = Set((0..<live).map { _ in UUID().uuidString })
        if live > 0 { state = .on }
    }

    func begin(_ id: String) {
        lock.lock()
        defer { lock.unlock() }
        ids.insert(id)
        updateState()
    }

    func finish(_ id: String) {
        lock.lock()
        defer { lock.unlock() }
        ids.remove(id)
        updateState()
    }

    private func updateState() {
        guard isEnabled else { return }
        switch state {
        case .off where !ids.isEmpty: state = .startPending
        case .on where ids.isEmpty: state = .stopPending
        case .stopPending where !ids.isEmpty: state = .on
        case .off, .startPending, .on, .stopPending: break
        }
    }
}
