import NetworkIndicator

enum TaskKind: CaseIterable, Sendable {
    case droppedObject, finishedObject, droppedToken, finishedToken, counted
}

/// The indicator that the meter reads.
final class MeteredIndicator: ActivityIndicator {
    private let state = Lock(false)
    nonisolated init() {}
    nonisolated var isVisible: Bool { state.withLock { $0 } }
    func setVisible(_ isVisible: Bool) { state.withLock { $0 = isVisible } }
}

/// The manager under test.
struct MeteredManager: Sendable {
    private let manager: NetworkIndicatorManager
    private let indicator = MeteredIndicator()

    init(configuration: NetworkIndicatorManager.Configuration) {
        manager = NetworkIndicatorManager(configuration: configuration)
        manager.attach(indicator)
    }

    var isVisible: Bool { indicator.isVisible }

    private final class Object {}

    /// Begins a task of some kind.
    ///
    /// - Returns: A closure that ends it. The manager may detect the end later.
    func begin(_ kind: TaskKind) -> () -> Void {
        switch kind {
        case .droppedObject:
            var object: Object? = Object()
            manager.beganNetworkTask(withToken: object!)
            return { object = nil }
        case .finishedObject:
            let object = Object()
            manager.beganNetworkTask(withToken: object)
            return { [manager] in manager.finishedNetworkTask(forToken: object) }
        case .droppedToken:
            var token: NetworkTaskToken? = manager.beganNetworkTask()
            withExtendedLifetime(token) {}
            return { token = nil }
        case .finishedToken:
            let token = manager.beganNetworkTask()
            return { token.finish() }
        case .counted:
            manager.incrementActivityCount()
            return { [manager] in manager.decrementActivityCount() }
        }
    }
}
